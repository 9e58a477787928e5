import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makePrayerKey } from '#web/data/encryption.ts'
import { anna, FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { PlainTexts, UnreadableTexts } from './exceptional-texts.tsx'

/** Shows an encrypted account, in which the server then has this note. */
async function show(noteOnServer: string) {
  const server = new FakeServer()
  server.put('prayers', anna)
  const { data, sync } = await openSynced(server)
  await (await sync.encryption()).begin(await makePrayerKey())
  await sync.syncNow()
  const [sealed = anna] = server.tables.prayers
  server.put('prayers', { ...sealed, note: noteOnServer })
  await sync.syncNow()
  renderWithData(
    <>
      <UnreadableTexts />
      <PlainTexts />
    </>,
    data,
  )
  return server
}

it('says how many texts are not encrypted, and encrypts them when asked to', async () => {
  const server = await show('Pemberley')
  await screen.findByRole('heading', { name: '1 text not encrypted' })
  expect(screen.getAllByRole('heading')).toHaveLength(1)
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([anna.person_name])
  expect(screen.getByRole('link').getAttribute('href')).toBe(`/prayer/${anna.id}`)
  await press('Encrypt now')
  await expect.poll(() => screen.queryByRole('heading')).toBeNull()
  expect(server.tables.prayers).toMatchObject([{ note: expect.stringMatching(/^enc1\./) }])
})

it('says how far many texts are encrypted', async () => {
  const server = new FakeServer()
  const respond = server.fetch
  let calls = 0
  let goOn = () => {}
  const isHeld = new Promise<void>((resolve) => (goOn = resolve))
  server.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (pathname.endsWith('/rpc/replace_texts') && (calls += 1) === 2) await isHeld
    return respond(input, init)
  }
  const { data, sync } = await openSynced(server)
  await (await sync.encryption()).begin(await makePrayerKey())
  await sync.syncNow()
  server.putAll(
    'prayers',
    Array.from({ length: 501 }, (_, index) => ({ ...anna, id: `anna-${index}` })),
  )
  await sync.syncNow()
  renderWithData(<PlainTexts />, data)
  await screen.findByRole('heading', { name: '501 texts not encrypted' })
  await press('Encrypt now')
  const progress = await screen.findByRole<HTMLProgressElement>('progressbar', { name: /keep the app open/ })
  await expect.poll(() => [progress.value, progress.max]).toEqual([500, 501])
  await act(async () => goOn())
  await expect.poll(() => screen.queryByRole('progressbar')).toBeNull()
  expect(server.tables.prayers.filter((row) => row['person_name'] === anna.person_name)).toEqual([])
})

it('says how many texts cannot be read, and takes an earlier key', async () => {
  await show('enc1.0000000000000000.AAAA')
  await screen.findByRole('heading', { name: '1 text cannot be read' })
  await press('Enter the earlier key')
  expect(screen.getByRole('alert').textContent).toBe('Please enter your prayer key')
  enter('Earlier prayer key', await makePrayerKey())
  await press('Enter the earlier key')
  await expect.poll(() => screen.queryByRole('alert')?.textContent).toContain('has never had this prayer key')
  await act(async () => {})
})
