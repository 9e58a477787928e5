import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { NamedCategory } from '#web/data/categories.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { enter, press } from '#web/test-rendering.tsx'
import { AddSeveralDialog, type NamedList } from './add-several-dialog.tsx'

const FAMILY = { id: 'family', name: 'Family' }
const onAdd = vi.fn<(lists: readonly NamedList[]) => Promise<ActionResult>>()

beforeEach(() => void onAdd.mockResolvedValue({ success: true }))

const NONE: NamedCategory[] = []
const open = ({
  categories = [FAMILY],
  categoryId = 'family',
  hiddenCategories = NONE,
  listedNames = new Set<string>(),
} = {}) =>
  render(
    <AddSeveralDialog
      id="list"
      categoryId={categoryId}
      categories={categories}
      hiddenCategories={hiddenCategories}
      listedNames={listedNames}
      onAdd={onAdd}
      onClose={() => {}}
    />,
  )
const text = () => screen.getByLabelText<HTMLTextAreaElement>('Prayers')
const preview = () =>
  within(screen.getByRole('dialog'))
    .getAllByRole('listitem')
    .map((item) => item.textContent)
const summary = () => screen.getByRole('status').textContent
const added = () => onAdd.mock.calls.flatMap(([lists]) => lists)

it('shows line by line what it will add, and adds it', async () => {
  open()
  expect(document.activeElement).toBe(text())
  enter('Prayers', '1. Anna\n\n- Ben: a new job\n')
  expect(preview()).toEqual(['Anna', 'Bena new job'])
  expect(summary()).toBe('2 prayers will be added')
  await press('Add 2 Prayers')
  expect(added()).toEqual([
    {
      category: { id: 'family', newName: null, isHidden: false },
      categoryName: 'Family',
      prayers: [
        { id: expect.any(String), person_name: 'Anna', note: null },
        { id: expect.any(String), person_name: 'Ben', note: 'a new job' },
      ],
    },
  ])
})

it('leaves out single lines, which can be put back', async () => {
  open()
  enter('Prayers', `Anna\n${'x'.repeat(201)}\nBen: a new job\nAnna`)
  await press(/^Leave out xxx/)
  await press('Leave out Ben')
  expect(preview().slice(1)).toEqual([`${'x'.repeat(201)}Left out`, 'BenLeft out', 'Anna'])
  expect(summary()).toBe('2 prayers will be added')
  await press('Put back Ben')
  expect(preview()[2]).toBe('Bena new job')
  await press('Add 3 Prayers')
  expect(added()[0]?.prayers.map(({ person_name }) => person_name)).toEqual(['Anna', 'Ben', 'Anna'])
})

it('leaves out a line that is only a date, or only leads to a web address, unless it is put back', async () => {
  open()
  enter('Prayers', '23 November\nAnna\nSee more: https://example.org/list\nBen: https://example.org/ben')
  expect(preview()).toEqual(['23 NovemberLeft out', 'Anna', 'See moreLeft out', 'Benhttps://example.org/ben'])
  await press('Put back 23 November')
  await press('Put back See more')
  await press('Leave out See more')
  await press('Add 3 Prayers')
  expect(added()[0]?.prayers.map(({ person_name }) => person_name)).toEqual(['23 November', 'Anna', 'Ben'])
})

it('says which names are on the list already, and leaves them out if the user wants', async () => {
  open({ listedNames: new Set(['anna', 'jose']) })
  enter('Prayers', 'Anna\nBen\nJosé: work')
  expect(preview()).toEqual(['AnnaAlready on your list', 'Ben', 'JoséworkAlready on your list'])
  await press('Leave out José')
  await press('Leave out the 1 already on your list')
  expect(preview()).toEqual(['AnnaLeft out', 'Ben', 'JoséLeft out'])
})

describe('headings', () => {
  const LIST = 'Anna\nfamily:\nBen\nChurch:\nClara\nStreet:\nDan'
  const categories = () => added().map(({ category, prayers }) => [category, prayers.length])

  it('are left out, unless the user wants them as categories', async () => {
    open({ hiddenCategories: [{ id: 'street', name: 'Street' }] })
    enter('Prayers', LIST)
    expect(preview()[1]).toBe('familyHeading, left out')
    await press('Add 4 Prayers')
    expect(categories()).toEqual([[{ id: 'family', newName: null, isHidden: false }, 4]])
    onAdd.mockClear()

    await press('Use as categories')
    expect(preview().filter((line) => line?.includes('ategory'))).toEqual([
      'familyYour category',
      'ChurchNew category',
      'StreetYour category, which is hidden and will be shown again',
    ])
    await press('Add 4 Prayers')
    expect(categories()).toEqual([
      [{ id: 'family', newName: null, isHidden: false }, 2],
      [{ id: expect.any(String), newName: 'Church', isHidden: false }, 1],
      [{ id: 'street', newName: null, isHidden: true }, 1],
    ])
  })

  it('need no other category, and can be left out one by one', async () => {
    open({ categoryId: '' })
    enter('Prayers', 'Work:\nAnna\nStreet:\nBen')
    await press('Use as categories')
    await press('Leave out Work')
    await press('Add 2 Prayers')
    expect(screen.getByRole('alert').textContent).toBe('Please select a category')
    await press('Put back Work')
    await press('Leave out Street')
    await press('Add 2 Prayers')
    expect(added().map(({ categoryName }) => categoryName)).toEqual(['Work'])
  })
})

describe('adds nothing, but says why, and moves the focus there:', () => {
  it('without a name', async () => {
    open()
    enter('Prayers', ' \n-')
    await press('Add Prayers')
    expect(screen.getByRole('alert').textContent).toBe('Please enter at least one name')
    expect(document.activeElement).toBe(text())
    enter('Prayers', ' \n-\n')
    expect(screen.getByRole('alert')).toBeDefined()
    enter('Prayers', 'Anna')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('with a line that cannot be added', async () => {
    open()
    enter('Prayers', `Anna\n: a new job\n${'x'.repeat(201)}`)
    expect(summary()).toBe('1 prayer will be added · 2 lines cannot be added')
    expect(preview()[1]).toBe(': a new jobThere is no name before the colon.')
    await press('Add Prayers')
    expect(screen.getByRole('alert').textContent).toBe(
      'Please correct line 2. There is no name before the colon.',
    )
    expect(document.activeElement).toBe(text())
    expect([text().selectionStart, text().selectionEnd]).toEqual([5, 16])
  })

  it('with more than 200 prayers', async () => {
    open()
    const names = (count: number) =>
      Array.from({ length: count }, (_, index) => `Person ${index}`).join('\n\n')
    enter('Prayers', names(201))
    await press('Add 201 Prayers')
    const message = 'This list has 201 prayers. At most 200 can be added at once.'
    expect([summary(), screen.getByRole('alert').textContent]).toEqual([message, message])
    expect(onAdd).not.toHaveBeenCalled()
    enter('Prayers', names(200))
    expect(preview().at(-1)).toBe('Person 199')
    await press('Add 200 Prayers')
    expect(added()[0]?.prayers).toHaveLength(200)
  })

  it('without a category', async () => {
    open({ categoryId: '' })
    enter('Prayers', 'Anna')
    await press('Add Prayers')
    expect(screen.getByRole('alert').textContent).toBe('Please select a category')
    expect(document.activeElement).toBe(screen.getByLabelText('Category'))
  })
})

describe('a new category', () => {
  const nameError = () => screen.getByRole('alert').textContent

  it('can be named beside those that there are', async () => {
    open()
    enter('Prayers', 'Anna')
    enter('Category', 'new')
    await press('Add Prayers')
    expect(nameError()).toBe('Please enter a category name')
    expect(document.activeElement).toBe(screen.getByLabelText('Category Name'))
    enter('Category Name', ' Street ')
    await press('Add Prayers')
    expect(added()).toMatchObject([{ category: { id: 'list', newName: 'Street' }, categoryName: 'Street' }])
  })

  it('can be named by a user who has none', async () => {
    open({ categories: [], categoryId: '' })
    enter('Prayers', 'Anna')
    fireEvent.click(screen.getByLabelText('Another…'))
    enter('Category Name', 'Street')
    await press('Add Prayers')
    expect(added()).toMatchObject([{ category: { id: 'list', newName: 'Street' } }])
  })

  it.each([
    ['family', { id: 'family', newName: null, isHidden: false }],
    ['work', { id: 'work', newName: null, isHidden: true }],
  ])('with the name of another one is that one: %s', async (name, category) => {
    open({ categoryId: 'new', hiddenCategories: [{ id: 'work', name: 'Work' }] })
    enter('Prayers', 'Anna')
    enter('Category Name', name)
    await press('Add Prayers')
    expect(added()).toMatchObject([{ category }])
  })
})

it('offers categories to a user who has none, and adds the chosen one with the prayers', async () => {
  open({ categories: [], categoryId: '' })
  const names = screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)
  expect(names).toEqual(['Family', 'Friends', 'Church', 'Another…'])
  expect(document.activeElement).toBe(screen.getByLabelText('Family'))
  enter('Prayers', 'Anna')
  await press('Add Prayers')
  expect(screen.getByRole('alert').textContent).toBe('Please select a category')
  expect(onAdd).not.toHaveBeenCalled()
  fireEvent.click(screen.getByLabelText('Friends'))
  await press('Add Prayers')
  expect(added()).toMatchObject([{ category: { id: 'list', newName: 'Friends' }, categoryName: 'Friends' }])
})

it('keeps the list if it could not be saved, and saves what is unchanged under the same ids', async () => {
  onAdd.mockResolvedValueOnce({ success: false, error: 'Failed to add prayer' })
  open()
  enter('Prayers', 'Anna\nBen\nAnna')
  await press('Add 3 Prayers')
  expect(screen.getByRole('alert').textContent).toBe('Failed to add prayer')
  enter('Prayers', 'Clara\nAnna\nBen: work\nAnna')
  await press('Add 4 Prayers')
  const [first, second] = added().map(({ prayers }) => prayers.map(({ id }) => id))
  expect(new Set([...(first ?? []), ...(second ?? [])]).size).toBe(5)
  expect([second?.[1], second?.[3]]).toEqual([first?.[0], first?.[2]])
})

it('offers a list that was typed earlier but not added', async () => {
  const { unmount } = open()
  enter('Prayers', 'Anna\nBen')
  unmount()
  open()
  expect(text().value).toBe('')
  await press('Bring it back')
  expect(text().value).toBe('Anna\nBen')
  await press('Add 2 Prayers')
  await act(async () => {})
  expect(Object.keys(sessionStorage)).toEqual([])
})
