import { act, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { connectionLost, FakeServer, family, openSynced } from '#web/data/user-data.test-data.ts'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { ANSWER_DRAFTS } from '#web/features/prayer-parts/drafts.ts'
import { saveDraft } from '#web/lib/storage/drafts.ts'
import { press, renderWithData } from '#web/test-rendering.tsx'
import { AnsweredScreen } from './answered-screen.tsx'

let server: FakeServer

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') })
  server = new FakeServer()
  server.put('categories', family)
  for (const [index, id] of ['Gran', 'Ben'].entries())
    server.put(
      'prayers',
      samplePrayer({
        id,
        person_name: id,
        resolved: true,
        answered_on: `2026-10-1${9 - index}`,
        answer: `${id} is home`,
      }),
    )
})

async function show() {
  const { data, sync } = await openSynced(server)
  // The server of these tests has no functions.
  server.intercept = ({ path }) => (path.startsWith('rpc/') ? connectionLost() : null)
  renderWithData(
    <main>
      <AnsweredScreen />
    </main>,
    data,
  )
  await act(async () => {})
  return sync
}

/** Those that are not on their way out. */
const names = () =>
  [...document.querySelectorAll('article:not([inert] *) h3')].map(({ textContent }) => textContent)

it('reopening moves the focus to the next entry, or else to the heading, and can be undone', async () => {
  const sync = await show()
  const reopen = async (name: string) => {
    screen.getByRole('button', { name: new RegExp(`^Reopen.*${name}`) }).focus()
    await press(new RegExp(`^Reopen.*${name}`))
  }
  await reopen('Gran')
  await expect.poll(names).toEqual(['Ben'])
  expect(document.activeElement?.textContent).toBe('Ben')
  expect(sync.rows('prayer_updates')).toMatchObject([{ body: 'Gran is home' }])
  await press('Undo')
  await expect.poll(names).toEqual(['Gran', 'Ben'])
  expect(sync.rows('prayer_updates')).toEqual([])
  for (const name of ['Ben', 'Gran']) await reopen(name)
  await screen.findByText('Nothing here yet')
  expect(document.activeElement?.tagName).toBe('H1')
})

it('an answer that was typed and not saved is offered above the list', async () => {
  saveDraft([...ANSWER_DRAFTS, 'Gran'], { id: 'Gran', answered_on: '2026-10-19', answer: 'Home again' })
  await show()
  const offer = screen.getByRole('list', { name: 'Unsaved answers' })
  expect(offer.textContent).toContain('Answer for Gran: you had typed “Home again”')
  await press('Bring it back')
  expect(screen.getByRole('dialog').textContent).toContain('How was it answered?')
})
