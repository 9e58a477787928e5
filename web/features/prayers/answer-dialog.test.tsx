import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { anna, FakeServer, openData } from '#web/data/fake-server.test-data.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { UserDataContext } from '#web/data/rows.ts'
import { AnnouncementProvider } from '#web/ui/announcements.tsx'
import { AnswerDialog } from './answer-dialog.tsx'

const answered: Prayer = { ...anna, resolved: true, answered_on: '2026-11-03' }

let server: FakeServer
const onClose = vi.fn<() => void>()

beforeEach(() => {
  // jsdom has no modal dialogs.
  Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} })
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00') })
  server = new FakeServer()
  onClose.mockReset()
})
afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
})

async function openDialog(prayer: Prayer) {
  server.put('prayers', prayer)
  const data = openData(server)
  const sync = await data.opened
  await sync.syncNow()
  const { unmount } = render(
    <UserDataContext value={data}>
      <AnnouncementProvider>
        <AnswerDialog prayer={prayer} onClose={onClose} />
      </AnnouncementProvider>
    </UserDataContext>,
  )
  const change = async (label: RegExp | string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  return {
    enterDate: (day: string) => change('Answered on', day),
    enterAnswer: (text: string) => change(/How was it answered/, text),
    save: () => act(async () => void fireEvent.submit(formOf(screen.getByLabelText('Answered on')))),
    prayer: () => sync.rows('prayers')[0],
    unmount,
  }
}

function formOf(field: HTMLElement): HTMLFormElement {
  const form = field.closest('form')
  if (!form) throw new Error('The field has no form.')
  return form
}

const shown = (label: RegExp | string) => screen.getByLabelText<HTMLInputElement>(label).value

it('saves when and how a prayer was answered, and closes', async () => {
  const { enterDate, enterAnswer, save, prayer } = await openDialog(answered)
  expect(shown('Answered on')).toBe('2026-11-03')
  await enterDate('2026-10-31')
  await enterAnswer('Home again!')
  await save()
  expect(prayer()).toMatchObject({ answered_on: '2026-10-31', answer: 'Home again!' })
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(screen.getByText('Answer saved', { ignore: '[aria-hidden]' })).toBeTruthy()
})

it('sends only what has changed', async () => {
  const { enterAnswer, save } = await openDialog({ ...answered, answer: 'Home' })
  await enterAnswer('Home again!')
  await save()
  await expect.poll(() => server.changes.map(({ body }) => body)).toEqual([{ answer: 'Home again!' }])
})

it('saves the text beside a date that another client set in UTC, where it was tomorrow', async () => {
  const { enterAnswer, save, prayer } = await openDialog({ ...answered, answered_on: '2026-11-23' })
  await enterAnswer('Home again!')
  await save()
  expect(prayer()).toMatchObject({ answered_on: '2026-11-23', answer: 'Home again!' })
})

it('saves nothing if nothing has changed', async () => {
  const { save } = await openDialog(answered)
  await save()
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(server.changes).toEqual([])
})

it('removes a blank answer and an unknown date', async () => {
  const { enterDate, enterAnswer, save, prayer } = await openDialog({ ...answered, answer: 'Home' })
  await enterDate('')
  expect(screen.getByText('Without a date, it is listed under “Earlier”.')).toBeTruthy()
  await enterAnswer(' \n')
  await save()
  expect(prayer()).toMatchObject({ answered_on: null, answer: null })
})

it.each([
  ['2026-11-23', 'The date cannot be in the future'],
  ['0206-11-03', 'Please check the year'],
])('rejects the date %s: %s', async (day, message) => {
  const { enterDate, save } = await openDialog(answered)
  await enterDate(day)
  await save()
  expect(screen.getByText(message)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Answered on'))
  expect(onClose).not.toHaveBeenCalled()
  await enterDate('2026-11-22')
  expect(screen.queryByText(message)).toBeNull()
})

it('offers what was typed but not saved when it is opened again', async () => {
  const { enterAnswer, unmount } = await openDialog(answered)
  await enterAnswer('Home aga')
  fireEvent.click(screen.getByText('Cancel'))
  unmount()
  await openDialog(answered)
  expect(shown(/How was it answered/)).toBe('')
  fireEvent.click(screen.getByText('Bring it back'))
  expect(shown(/How was it answered/)).toBe('Home aga')
})
