import { render, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { RejectedEntry } from '#web/data/rejected-changes.ts'
import { press } from '#web/test-rendering.tsx'
import { RejectedChangesSheet } from './rejected-changes-sheet.tsx'

const LONG = 'For a calm week before the exams, and for rest.\n'.repeat(6).trim()

const onCorrect = vi.fn<(entry: RejectedEntry) => void>()
const discard = vi.fn<() => Promise<void>>()
const send = vi.fn<() => Promise<void>>()

beforeEach(() => {
  discard.mockResolvedValue()
  send.mockResolvedValue()
})

const anna: RejectedEntry = {
  id: 'change-1',
  title: 'You changed the details of Anna',
  text: 'A calm week',
  reason: 'It was rejected.',
  detail: 'new row violates check constraint',
  at: '2026-11-03T14:05:00Z',
  form: {
    kind: 'prayer',
    id: 'anna',
    row: null,
    fields: { category_id: 'family', person_name: 'Anna', note: 'A calm week', resolved: false },
  },
  tryAgain: null,
  discard,
}

const removal: RejectedEntry = {
  ...anna,
  id: 'change-2',
  title: 'You deleted the prayer for Ben',
  text: '',
  form: null,
  tryAgain: send,
}

function show(entries: RejectedEntry[]) {
  const sheetOf = (shown: RejectedEntry[]) => (
    <RejectedChangesSheet entries={shown} onCorrect={onCorrect} onClose={() => {}} />
  )
  const { rerender } = render(sheetOf(entries))
  return (shown: RejectedEntry[]) => rerender(sheetOf(shown))
}

describe('an entry', () => {
  it('shows what was typed, whole if it is short, when, and the reason', () => {
    show([anna])
    expect(screen.getByRole('heading', { name: 'You changed the details of Anna' })).toBeDefined()
    expect(screen.getByText('A calm week').dir).toBe('auto')
    expect(screen.getByText('A calm week').className).not.toContain('line-clamp-3')
    expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull()
    expect(screen.getByText('It was rejected.')).toBeDefined()
    expect(screen.getByText('new row violates check constraint')).toBeDefined()
    expect(document.querySelector('time')?.dateTime).toBe('2026-11-03T14:05:00Z')
  })

  it('clamps a long text until the user wants to see all of it', async () => {
    show([{ ...anna, text: LONG }])
    const text = screen.getByText(/For a calm week/)
    expect(text.className).toContain('line-clamp-3')
    await press('Show all')
    expect(text.className).not.toContain('line-clamp-3')
    expect(screen.getByRole('button', { name: 'Show less' }).getAttribute('aria-expanded')).toBe('true')
  })

  it('opens the dialog with what was typed', async () => {
    show([anna])
    await press('Change and try again')
    expect(onCorrect).toHaveBeenCalledWith(anna)
  })

  it('without a dialog is sent again as it is', async () => {
    show([removal])
    expect(screen.queryByRole('button', { name: 'Change and try again' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Copy the text' })).toBeNull()
    await press('Try again')
    expect(send).toHaveBeenCalledTimes(1)
  })

  it('says if it cannot be stored to be sent again, and stays', async () => {
    send.mockRejectedValue(new Error('No space'))
    show([removal])
    await press('Try again')
    expect(screen.getByRole('alert').textContent).toContain('could not be stored')
    await press('Try again')
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('that cannot succeed only offers to copy and to discard', () => {
    show([{ ...removal, tryAgain: null }])
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['', 'Discard'])
  })
})

describe('copying the text', () => {
  it('copies all of it', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    show([{ ...anna, text: LONG }])
    await press('Copy the text')
    expect(writeText).toHaveBeenCalledWith(LONG)
    expect(screen.getByRole('button', { name: 'Copied' })).toBeDefined()
  })

  it('selects all of it where there is no clipboard, as on plain http', async () => {
    vi.stubGlobal('navigator', {})
    show([{ ...anna, text: LONG }])
    await press('Copy the text')
    expect(getSelection()?.toString()).toBe(LONG)
    expect(screen.getByText(/The text is selected/)).toBeDefined()
  })
})

describe('discarding', () => {
  it('takes a second press, and can be reconsidered', async () => {
    show([anna])
    await press('Discard')
    expect(document.activeElement?.textContent).toBe('Keep')
    await press('Keep')
    expect(document.activeElement?.textContent).toBe('Discard')
    await press('Discard')
    expect(discard).not.toHaveBeenCalled()
    await press('Discard for good')
    expect(discard).toHaveBeenCalledTimes(1)
  })

  it('says if it cannot be stored, and stays', async () => {
    discard.mockRejectedValueOnce(new Error('No space'))
    show([anna])
    await press('Discard')
    await press('Discard for good')
    expect(screen.getByRole('alert').textContent).toContain('could not be stored')
    await press('Discard for good')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText('Discarded')).toBeDefined()
  })

  it('moves the focus to the next entry', async () => {
    const showEntries = show([anna, removal])
    const [first, second] = screen.getAllByRole('listitem')
    if (!first || !second) throw new Error('There are two entries.')
    await press('Discard', first)
    within(first).getByRole('button', { name: 'Discard for good' }).focus()
    await press('Discard for good', first)
    showEntries([removal])
    expect(second.contains(document.activeElement)).toBe(true)
  })
})
