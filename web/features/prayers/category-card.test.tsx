import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CategoryCard } from './category-card.tsx'
import type { Prayer } from '#web/data/prayers.ts'
import { samplePrayer } from './sample-prayer.test-data.ts'

const anna = samplePrayer({ id: 'anna', person_name: 'Anna' })
const ben = samplePrayer({ id: 'ben', person_name: 'Ben', note: 'a new job' })
const cora = samplePrayer({ id: 'cora', person_name: 'Cora', resolved: true })

const onAdd = vi.fn()
const onResolve = vi.fn()
const onEdit = vi.fn()
const onDelete = vi.fn()

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function card(prayers: readonly Prayer[], complete = true) {
  return (
    <CategoryCard
      category={{ id: 'family', name: 'Family' }}
      prayers={prayers}
      complete={complete}
      firstRows={20}
      sparing={false}
      onAdd={onAdd}
      onResolve={onResolve}
      onEdit={onEdit}
      onDelete={onDelete}
    />
  )
}

const pass = (milliseconds: number) => act(async () => void (await vi.advanceTimersByTimeAsync(milliseconds)))
const names = () => screen.queryAllByRole('listitem').map((row) => row.querySelector('[id]')?.textContent)

describe('the rows', () => {
  it('are the open prayers, in the order they come in', () => {
    render(card([anna, cora, ben]))
    expect(names()).toEqual(['Anna', 'Ben'])
    expect(screen.getByText('a new job')).toBeDefined()
  })

  it('say what happened to them', () => {
    render(card([anna]))
    fireEvent.click(screen.getByTitle('Mark as resolved'))
    fireEvent.click(screen.getByTitle('Edit prayer'))
    fireEvent.click(screen.getByTitle('Delete prayer'))
    fireEvent.click(screen.getByRole('button', { name: 'Add Prayer' }))
    expect(onResolve).toHaveBeenCalledWith(anna, true)
    expect(onEdit).toHaveBeenCalledWith(anna)
    expect(onDelete).toHaveBeenCalledWith(anna)
    expect(onAdd).toHaveBeenCalledWith({ id: 'family', name: 'Family' })
  })

  it('name the person beside each button for those who listen', () => {
    render(card([anna]))
    const described = screen.getByTitle('Edit prayer').getAttribute('aria-describedby')
    expect(described && document.getElementById(described)?.textContent).toBe('Anna')
  })
})

describe('resolved prayers', () => {
  it('show with their badge when asked for, and hide again', () => {
    render(card([anna, cora]))
    fireEvent.click(screen.getByRole('button', { name: 'Show Resolved (1)' }))
    expect(names()).toEqual(['Anna', 'Cora'])
    expect(screen.getByText('Resolved')).toBeDefined()
    expect(screen.getByTitle('Mark as unresolved')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Hide Resolved (1)' }))
    expect(screen.getByRole('button', { name: 'Show Resolved (1)' })).toBeDefined()
  })

  it('hide by themselves once there was none', () => {
    const { rerender } = render(card([anna, cora]))
    fireEvent.click(screen.getByRole('button', { name: 'Show Resolved (1)' }))
    rerender(card([anna, { ...cora, resolved: false }]))
    expect(screen.queryByRole('button', { name: /Resolved \(/ })).toBeNull()
    rerender(
      card([
        { ...anna, resolved: true },
        { ...cora, resolved: false },
      ]),
    )
    expect(screen.getByRole('button', { name: 'Show Resolved (1)' })).toBeDefined()
  })

  it('keep their place for a moment, then leave', async () => {
    const { rerender } = render(card([anna, ben]))
    rerender(card([{ ...anna, resolved: true }, ben]))
    await pass(1000)
    expect(names()).toEqual(['Anna', 'Ben'])
    await pass(200)
    expect(names()).toEqual(['Ben'])
  })

  it('that are taken back within the moment stay', async () => {
    const { rerender } = render(card([anna, ben]))
    rerender(card([{ ...anna, resolved: true }, ben]))
    await pass(500)
    rerender(card([{ ...anna }, ben]))
    await pass(2000)
    expect(names()).toEqual(['Anna', 'Ben'])
  })
})

describe('a card without rows', () => {
  it('says so when there is no prayer', () => {
    render(card([]))
    expect(screen.getByText('No prayers yet')).toBeDefined()
    expect(screen.getByText('Add your first prayer and start making a difference')).toBeDefined()
  })

  it('says it 500 ms after the last one has gone', async () => {
    const { rerender } = render(card([anna]))
    rerender(card([]))
    await pass(499)
    expect(screen.queryByText('No prayers yet')).toBeNull()
    await pass(2)
    expect(screen.getByText('No prayers yet')).toBeDefined()
  })

  it('says that all are resolved when that is why', () => {
    render(card([cora]))
    expect(screen.queryByText('No prayers yet')).toBeNull()
    expect(screen.getByText('All of these prayers are resolved')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Show Resolved (1)' })).toBeDefined()
  })

  it('says that prayers are on their way while not all are here', () => {
    render(card([], false))
    expect(screen.getByText('Loading prayers...')).toBeDefined()
    expect(screen.queryByText('No prayers yet')).toBeNull()
  })
})

describe('the focus', () => {
  it('goes from a row that leaves to the same button of the next one', async () => {
    const { rerender } = render(card([anna, ben]))
    const [first] = screen.getAllByTitle('Delete prayer')
    first?.focus()
    rerender(card([ben]))
    await pass(0)
    const row = document.activeElement?.closest('li')
    expect(row && within(row).getByText('Ben')).toBeTruthy()
    expect(document.activeElement?.getAttribute('title')).toBe('Delete prayer')
  })

  it('goes to the card when no row is left', async () => {
    const { rerender } = render(card([anna]))
    screen.getByTitle('Delete prayer').focus()
    rerender(card([]))
    await pass(0)
    expect(document.activeElement?.textContent).toBe('Add Prayer')
  })
})
