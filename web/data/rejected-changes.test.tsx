import { describe, expect, it } from 'vitest'
import type { RejectedChange } from '#web/sync/schema.ts'
import { sampleCategory, samplePrayer } from './fake-server.test-data.ts'
import { describe as describeChange } from './rejected-changes.ts'

const rejected: RejectedChange = {
  id: 'change-1',
  user_id: 'me',
  table: 'prayers',
  kind: 'update',
  row: 'anna',
  fields: {},
  base: {},
  at: '2026-11-03T14:05:00Z',
  reason: 'rejected',
  code: '22001',
  message: 'value too long',
}

const describeIt = (change: Partial<RejectedChange>, prayers = [samplePrayer]) =>
  describeChange({ ...rejected, ...change }, prayers, [sampleCategory])

const ofCategory = (change: Partial<RejectedChange>) =>
  describeIt({ table: 'categories', row: 'family', ...change })

describe('the title', () => {
  it.each([
    [{ kind: 'insert', row: 'new', fields: { person_name: 'Ben' } }, 'Add the prayer for Ben'],
    [{ fields: { note: 'A calm week' } }, 'Change the prayer for Anna'],
    [{ fields: { resolved: true } }, 'Mark the prayer for Anna as resolved'],
    [{ fields: { category_id: 'friends', resolved: true } }, 'Move the prayer for Anna'],
    [{ kind: 'delete' }, 'Delete the prayer for Anna'],
    [{ kind: 'delete', row: 'unknown' }, 'Delete a prayer'],
  ] as const)('of a change of a prayer: %o', (change, title) => {
    expect(describeIt(change).title).toBe(title)
  })

  it.each([
    [{ kind: 'insert', row: 'new', fields: { name: 'Church' } }, 'Add the category “Church”'],
    [{ fields: { name: 'Home' } }, 'Rename the category “Family” to “Home”'],
    [{ row: 'unknown', fields: { name: 'Home' } }, 'Rename a category to “Home”'],
    [{ fields: { is_visible: false } }, 'Hide the category “Family”'],
    [{ kind: 'delete' }, 'Delete the category “Family”'],
    [{ kind: 'call', row: 'reorder_categories' }, 'Reorder the categories'],
  ] as const)('of a change of a category: %o', (change, title) => {
    expect(ofCategory(change).title).toBe(title)
  })
})

describe('the reason', () => {
  it.each([
    [{}, 'value too long'],
    [{ message: '' }, 'Failed to update prayer'],
    [{ reason: 'conflict' }, 'This was changed on another device too, and that version is shown.'],
    [{ reason: 'conflict', kind: 'delete' }, 'This was changed on another device, so it was not deleted.'],
    [{ reason: 'deleted' }, 'It was deleted on another device.'],
    [{ reason: 'restored' }, 'The server was restored from a backup that does not have it.'],
  ] as const)('of %o', (change, reason) => {
    expect(describeIt(change).reason).toBe(reason)
  })

  it('of a category that was not deleted', () => {
    expect(ofCategory({ kind: 'delete', code: '23503' }).reason).toMatch(/^Cannot delete category with/)
  })
})

describe('the dialog to correct it', () => {
  it('has everything that was typed, and the other fields as they are', () => {
    const { text, form } = describeIt({ fields: { person_name: 'Anna Maria', note: 'A calm week' } })
    expect(text).toBe('Anna Maria\n\nA calm week')
    const fields = { category_id: 'family', person_name: 'Anna Maria', note: 'A calm week', resolved: false }
    expect(form).toEqual({ kind: 'prayer', id: 'anna', row: samplePrayer, fields })
  })

  it('keeps a note that was emptied', () => {
    const change = { fields: { note: null } }
    const { form } = describeIt(change, [{ ...samplePrayer, note: 'before' }])
    expect(form).toMatchObject({ fields: { note: null } })
  })

  it('adds the prayer again under the same id', () => {
    const fields = { category_id: 'family', person_name: 'Ben', note: null, resolved: false }
    const { form } = describeIt({ kind: 'insert', row: 'ben', fields })
    expect(form).toEqual({ kind: 'prayer', id: 'ben', row: null, fields })
  })

  it('adds a new prayer if it was deleted on another device', () => {
    const { form } = describeIt({ reason: 'deleted', fields: { note: 'A calm week' } }, [])
    expect(form).toMatchObject({
      id: 'change-1',
      row: null,
      fields: { person_name: '', note: 'A calm week' },
    })
  })

  it('does not exist for what has no text', () => {
    expect(describeIt({ kind: 'delete' }).form).toBeNull()
    expect(ofCategory({ kind: 'call', row: 'reorder_categories' }).form).toBeNull()
  })
})
