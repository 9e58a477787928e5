import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { anna, FakeServer, openData } from '#web/data/user-data.test-data.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { sampleUpdate } from '#web/data/sample-rows.test-data.ts'
import { enter, press, renderWithData, submitFormOf } from '#web/test-rendering.tsx'
import { AnswerDialog } from './answer-dialog.tsx'

const answered: Prayer = { ...anna, resolved: true, answered_on: '2026-11-03' }
const DATE = 'Answered on'
const ANSWER = /How was it answered/

let server: FakeServer
const onClose = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00') })
  server = new FakeServer()
})

async function openDialog(prayer: Prayer) {
  server.put('prayers', prayer)
  const data = openData(server)
  const sync = await data.opened
  await sync.syncNow()
  const { unmount } = renderWithData(<AnswerDialog prayer={prayer} onClose={onClose} />, data)
  return { prayer: () => sync.rows('prayers')[0], unmount }
}

const save = () => submitFormOf(DATE)
const field = (label: RegExp | string) => screen.getByLabelText<HTMLInputElement>(label)

it('saves when and how a prayer was answered, and closes', async () => {
  const { prayer } = await openDialog(answered)
  expect(field(DATE).value).toBe('2026-11-03')
  enter(DATE, '2026-10-31')
  enter(ANSWER, 'Home again!')
  await save()
  expect(prayer()).toMatchObject({ answered_on: '2026-10-31', answer: 'Home again!' })
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(screen.getByText('Answer saved', { ignore: '[aria-hidden]' })).toBeTruthy()
})

it('says the date in words, and offers the last two days', async () => {
  const { prayer } = await openDialog(answered)
  const words = () => document.getElementById(field(DATE).getAttribute('aria-describedby') ?? '')?.textContent
  expect(words()).toBe('Tuesday, 3 November')
  await press('Yesterday')
  expect(words()).toBe('Saturday, 21 November')
  await press('Today')
  await save()
  expect(prayer()).toMatchObject({ answered_on: '2026-11-22' })
})

it('sends only what has changed', async () => {
  await openDialog({ ...answered, answer: 'Home' })
  enter(ANSWER, 'Home again!')
  await save()
  await expect.poll(() => server.changes.map(({ body }) => body)).toEqual([{ answer: 'Home again!' }])
})

it('saves the text beside a date that another client set in UTC, where it was tomorrow', async () => {
  const { prayer } = await openDialog({ ...answered, answered_on: '2026-11-23' })
  enter(ANSWER, 'Home again!')
  await save()
  expect(prayer()).toMatchObject({ answered_on: '2026-11-23', answer: 'Home again!' })
})

it('saves nothing if nothing has changed', async () => {
  await openDialog(answered)
  await save()
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(server.changes).toEqual([])
})

it('removes a blank answer and an unknown date', async () => {
  const { prayer } = await openDialog({ ...answered, answer: 'Home' })
  enter(DATE, '')
  expect(screen.getByText('Without a date, it is listed under “Earlier”.')).toBeTruthy()
  enter(ANSWER, ' \n')
  await save()
  expect(prayer()).toMatchObject({ answered_on: null, answer: null })
})

it.each([
  ['2026-11-23', 'The date cannot be in the future'],
  ['0206-11-03', 'Please check the year'],
])('rejects the date %s: %s', async (day, message) => {
  await openDialog(answered)
  enter(DATE, day)
  await save()
  expect(screen.getByText(message)).toBeTruthy()
  expect(document.activeElement).toBe(field(DATE))
  expect(onClose).not.toHaveBeenCalled()
  enter(DATE, '2026-11-22')
  expect(screen.queryByText(message)).toBeNull()
})

it('offers the answer that the prayer had before it was reopened, with its date', async () => {
  const former = { id: 'former', prayer_id: 'anna', body: 'Home again!' }
  server.put('prayer_updates', sampleUpdate({ ...former, answered_on: '2026-10-10' }))
  server.put('prayer_updates', sampleUpdate({ ...former, id: 'other', body: 'Only an update' }))
  const { prayer } = await openDialog(answered)
  expect(screen.getByRole('group', { name: /reopened/ }).textContent).toContain(
    'Answered 10 October, reopenedHome again!',
  )
  await press('Use it')
  expect(document.activeElement).toBe(field(ANSWER))
  expect(screen.queryByRole('group', { name: /reopened/ })).toBeNull()
  await save()
  expect(prayer()).toMatchObject({ answered_on: '2026-10-10', answer: 'Home again!' })
})

it('does not offer a former answer in place of another one', async () => {
  server.put('prayer_updates', sampleUpdate({ prayer_id: 'anna', answered_on: '2026-10-10' }))
  await openDialog({ ...answered, answer: 'Home' })
  expect(screen.queryByRole('group', { name: /reopened/ })).toBeNull()
})

it('offers what was typed but not saved when it is opened again', async () => {
  const { unmount } = await openDialog(answered)
  enter(ANSWER, 'Home aga')
  await press('Cancel')
  unmount()
  await openDialog(answered)
  expect(field(ANSWER).value).toBe('')
  await press('Bring it back')
  expect(field(ANSWER).value).toBe('Home aga')
})
