import { act, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { anna, FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import { ANSWER_DRAFTS, answerDraftSchema } from '#web/features/prayer-parts/drafts.ts'
import { readDrafts } from '#web/lib/storage/drafts.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { AnswerPage } from './answer-page.tsx'

const answered = { ...anna, resolved: true, answered_on: '2026-11-22' }

const onDone = vi.fn<() => void>()
const onUndone = vi.fn<() => void>()

let server: FakeServer

beforeEach(() => {
  // jsdom cannot scroll.
  vi.spyOn(globalThis, 'scrollTo').mockReturnValue(undefined)
  server = new FakeServer()
  server.put('prayers', answered)
})

async function open() {
  const { data, sync } = await openSynced(server)
  const { unmount } = renderWithData(
    <AnswerPage prayer={answered} onDone={onDone} onUndone={onUndone} />,
    data,
  )
  return { unmount, sync, prayer: () => sync.rows('prayers')[0] }
}

const field = 'How was it answered?'
const typed = () => screen.getByLabelText<HTMLTextAreaElement>(field).value
const drafts = () => readDrafts(ANSWER_DRAFTS, answerDraftSchema).map(({ draft }) => draft.answer)

describe('after a prayer was answered in a session', () => {
  it('the answer is written down, and the session goes on', async () => {
    const { prayer } = await open()
    expect(screen.getByText('Thanks be to God.')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Anna' }))
    enter(field, 'She is home')
    await press('Write it down')
    expect(prayer()?.answer).toBe('She is home')
    expect(onDone).toHaveBeenCalledOnce()
    expect(drafts()).toEqual([])
  })

  it('the field is focused as long as nothing is written in it', async () => {
    await open()
    await press('Write it down')
    expect(document.activeElement).toBe(screen.getByLabelText(field))
    expect(onDone).not.toHaveBeenCalled()
  })

  it('the answer can be left for later: what was typed is kept as a draft, and is there again', async () => {
    const { unmount, prayer } = await open()
    enter(field, 'She is')
    await press('Later')
    expect(onDone).toHaveBeenCalledOnce()
    expect(prayer()?.answer).toBeNull()
    expect(drafts()).toEqual(['She is'])
    unmount()
    await open()
    expect(typed()).toBe('She is')
  })

  it('everything can be undone', async () => {
    const { prayer } = await open()
    await press('Undo')
    expect(prayer()?.resolved).toBe(false)
    expect(onUndone).toHaveBeenCalledOnce()
  })

  it('an answer that cannot be saved stays, with the reason', async () => {
    const { sync } = await open()
    server.remove('prayers', anna.id)
    await act(() => sync.syncNow())
    enter(field, 'She is home')
    expectConsoleError(/update prayer/)
    await press('Write it down')
    expect(screen.getByRole('alert').textContent).toBe('Prayer not found')
    expect(typed()).toBe('She is home')
    expect(drafts()).toEqual(['She is home'])
  })
})
