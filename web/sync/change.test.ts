import { describe, expectTypeOf, it } from 'vitest'
import type { insertOf, NewCall, NewChange, NewRowChange, updateOf } from './change.ts'
import type { TableName } from './schema.ts'

/** The changes of a table, by their kind. */
type Of<Name extends TableName, Kind extends NewRowChange['kind']> = Extract<
  NewRowChange<Name>,
  { kind: Kind }
>

describe('a change that does not fit its table does not compile', () => {
  it('has each column of an update by its name, with its type', () => {
    type Fields = Of<'prayer_updates', 'update'>['fields']
    expectTypeOf<Fields>().toEqualTypeOf<{
      prayer_id?: string
      body?: string
      created_at?: string
      updated_at?: string
      answered_on?: string | null
    }>()
    expectTypeOf<{ resolved: 'yes' }>().not.toExtend<Of<'prayers', 'update'>['fields']>()
    expectTypeOf<{ note: 7 }>().not.toExtend<Of<'prayers', 'update'>['base']>()
    expectTypeOf<keyof Of<'prayers', 'delete'>['base']>().not.toEqualTypeOf<string>()
  })

  it('has all columns of an insert that must be given', () => {
    type Fields = Of<'categories', 'insert'>['fields']
    const row = { id: 'family', user_id: 'me', name: 'Family', order: 1, created_at: '2026-01-01' }
    expectTypeOf(row).toExtend<Fields>()
    expectTypeOf<Omit<typeof row, 'name'>>().not.toExtend<Fields>()
    expectTypeOf<Omit<typeof row, 'user_id'>>().not.toExtend<Fields>()
    expectTypeOf<keyof Fields>().toEqualTypeOf<
      'id' | 'user_id' | 'name' | 'order' | 'is_visible' | 'pray_days' | 'created_at' | 'updated_at'
    >()
  })

  it('has no column that the table does not have', () => {
    type Misspelt = { note: string; ansver: string }
    type Fields = Parameters<typeof updateOf<'prayers', Misspelt>>[2]
    expectTypeOf<Fields['note']>().toBeString()
    expectTypeOf<Fields['ansver']>().toBeNever()
    type Row = Of<'prayer_updates', 'insert'>['fields'] & { resolved: boolean }
    expectTypeOf<Parameters<typeof insertOf<'prayer_updates', Row>>[1]['resolved']>().toBeNever()
  })

  it('has the arguments of its function', () => {
    type MarkPrayed = Extract<NewCall, { name: 'mark_prayed' }>['args']
    expectTypeOf<MarkPrayed>().toEqualTypeOf<{ prayer_ids: string[]; prayed_on: string }>()
    const call = { kind: 'call', table: 'prayers', args: { category_ids: ['family'] } } as const
    expectTypeOf({ ...call, name: 'mark_prayed' } as const).not.toExtend<NewChange>()
    expectTypeOf({ ...call, name: 'mark_payed' } as const).not.toExtend<NewChange>()
  })

  it('does not have the columns of another table', () => {
    type OfPrayers = NewChange<'prayers'>
    const update = { kind: 'update', row: 'a', fields: { name: 'Home' }, base: {} } as const
    expectTypeOf({ ...update, table: 'categories' } as const).toExtend<NewChange>()
    expectTypeOf({ ...update, table: 'categories' } as const).not.toExtend<OfPrayers>()
    expectTypeOf({ ...update, table: 'prayers' } as const).not.toExtend<NewChange>()
  })
})
