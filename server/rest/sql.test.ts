import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Statement } from '../db/request-scope.ts'
import { ApiError } from '../errors/api-error.ts'
import { callSql } from './call-function.ts'
import { chooseFormat, parsePrefer } from './headers.ts'
import { parseArguments, parseRows } from './parse-body.ts'
import { parseParameters, parseQuery, type QueryParameter } from './parse-query.ts'
import { planRead } from './plan-read.ts'
import { planDelete, planInsert, planUpdate } from './plan-write.ts'
import { toRoutine, toTable } from './schema-cache.ts'
import { readSql } from './sql-read.ts'
import { deleteSql, insertSql, updateSql } from './sql-write.ts'
import { render } from './sql.ts'

const table = toTable({
  name: 'things',
  columns: [
    { name: 'id', type: 'uuid', default: 'gen_random_uuid()' },
    { name: 'odd "name', type: 'text', default: null },
    { name: 'order', type: 'integer', default: null },
  ],
  primary_key: ['id'],
  has_row_versions: true,
})
const routine = toRoutine({
  name: 'renumber',
  is_volatile: true,
  parameters: [
    { name: 'ids', type: 'uuid[]', is_required: true },
    { name: 'start', type: 'integer', is_required: false },
  ],
  returns_void: false,
  unsupported: null,
  statement_timeout: null,
})

interface RequestParts {
  query?: string | readonly QueryParameter[]
  prefer?: string
  accept?: string
  body?: string
}

function parse({ query = '', prefer, accept }: RequestParts) {
  return {
    query: parseQuery(typeof query === 'string' ? parseParameters(`/things?${query}`) : query),
    preferences: parsePrefer(prefer),
    format: chooseFormat(accept),
  }
}

function read(request: RequestParts): Statement {
  return render(readSql(planRead(table, { ...parse(request), withBody: true })))
}

function insert(request: RequestParts): Statement {
  const parsed = parse(request)
  const payload = parseRows(request.body ?? '{}', parsed.query.columns)
  return render(insertSql(planInsert(table, parsed, payload)))
}

function update(request: RequestParts): Statement {
  return render(updateSql(planUpdate(table, parse(request), parseRows(request.body ?? '{}', null))))
}

function remove(request: RequestParts): Statement {
  return render(deleteSql(planDelete(table, parse(request))))
}

function call(request: RequestParts): Statement {
  const { keys, text } = parseArguments(request.body ?? '')
  return render(callSql(routine, keys, text))
}

describe('the statement of a read', () => {
  it('selects, filters, orders and limits, with every value bound', () => {
    const query = 'select=id,order&or=(order.gt.5,order.is.null)&order=order.desc.nullslast&offset=3'
    expect(read({ query })).toEqual({
      text:
        `select count(*) as row_count, '[' || coalesce(string_agg(j.row, E', \\n '), '') || ']' as body, ` +
        `intercede.limit_result_bytes(octet_length(j.row)) filter (where octet_length(j.row) > 1024) as bytes, ` +
        `null as total from (select to_json(r)::text as row ` +
        `from (select t."id", t."order" from "public"."things" as t ` +
        `where (t."order" > $1 or t."order" is null) order by t."order" desc nulls last limit $2 offset $3) r ` +
        `offset 0) j`,
      values: ['5', 1000, 3],
    })
  })

  it('counts the rows outside the range too if requested', () => {
    const { text, values } = read({ query: 'id=eq.1&select=id&limit=2', prefer: 'count=exact' })
    expect(text).toContain('(select count(*) from "public"."things" as t where t."id" = $1) as total')
    expect(values).toEqual(['1', '1', 2])
  })

  it('quotes names from the schema cache', () => {
    expect(read({ query: 'select=%22odd%20%5C%22name%22' }).text).toContain('select t."odd ""name" from')
  })

  it('returns each column once', () => {
    const textOf = (select: string) => read({ query: `select=${select}` }).text
    expect(textOf(`id,order,${'order,id,'.repeat(800)}order`)).toBe(textOf('id,order'))
    expect(textOf('order,*,id,*')).toBe(textOf('order,*'))
  })

  it('orders by each column once', () => {
    expect(read({ query: `order=order.desc,${'id,order,'.repeat(800)}id` }).text).toContain(
      'order by t."order" desc, t."id" limit',
    )
  })

  it('has no more than 100 conditions', () => {
    const error = expect.objectContaining({ status: 400, code: 'PGRST127' })
    const nested = (count: number) => ({
      query: `order=id&id=is.null&or=(id.is.null,and(${Array(count - 2)
        .fill('order.gt.1')
        .join()}))`,
    })
    expect(() => read(nested(100))).not.toThrow()
    expect(() => read(nested(101))).toThrow(error)
    expect(() => remove(nested(101))).toThrow(error)
  })

  it('has the same text for different values, so that it is prepared once', () => {
    expect(read({ query: 'id=eq.1&limit=1' }).text).toBe(read({ query: 'id=eq.2&limit=500' }).text)
    expect(read({ query: 'id=in.(1,2)' }).text).toBe(read({ query: 'id=in.(1,2,3)' }).text)
  })
})

describe('the statement of a write', () => {
  it('inserts rows whose values the database converts', () => {
    expect(insert({ body: '{"order":1}' })).toEqual({
      text:
        `with written as (insert into "public"."things" as t ("order") select b."order" ` +
        `from json_to_record($1::json) as b("order" integer) returning 1 as done) ` +
        `select count(*) as row_count, '' as body, null as inserted from written`,
      values: ['{"order":1}'],
    })
  })

  it('uses defaults for missing keys only if requested', () => {
    const request = { query: 'columns=id,order', body: '[{"order":1}]' }
    expect(insert(request).text).not.toContain('gen_random_uuid()')
    expect(insert({ ...request, prefer: 'missing=default' }).text).toContain(
      `jsonb_array_elements($1::jsonb) as e(value), lateral jsonb_to_record(` +
        `jsonb_build_object($2::text, (gen_random_uuid())) || e.value) as b("id" uuid, "order" integer)`,
    )
  })

  it('resolves conflicts on the primary key unless other columns are named', () => {
    const body = '{"id":"x","order":1}'
    const merge = insert({ body, prefer: 'resolution=merge-duplicates' }).text
    expect(merge).toContain(
      'on conflict ("id") do update set "id" = excluded."id", "order" = excluded."order"',
    )
    expect(merge).toContain('t.xmax = 0 as is_new')
    const ignore = insert({ body, prefer: 'resolution=ignore-duplicates', query: 'on_conflict=order' }).text
    expect(ignore).toContain('on conflict ("order") do nothing')
  })

  it('updates and deletes only rows that match the filters', () => {
    expect(update({ query: 'id=eq.1', body: '{"order":2}' }).text).toContain(
      `update "public"."things" as t set "order" = b."order" ` +
        `from (select * from json_to_record($1::json) as b("order" integer) limit 1) as b where t."id" = $2`,
    )
    expect(remove({ query: 'id=eq.1' }).text).toContain(
      'delete from "public"."things" as t where t."id" = $1',
    )
  })

  it('without a filter is rejected', () => {
    const error = expect.objectContaining({ status: 400, code: '21000' })
    expect(() => update({ body: '{"order":2}' })).toThrow(error)
    expect(() => remove({ query: 'select=id' })).toThrow(error)
  })

  it('with limit or offset is rejected', () => {
    const error = expect.objectContaining({ status: 400, code: 'PGRST127' })
    expect(() => remove({ query: 'id=eq.1&limit=1' })).toThrow(error)
    expect(() => update({ query: 'id=eq.1&offset=1', body: '{"order":2}' })).toThrow(error)
  })

  it('fails unless it writes a single row if an object is requested', () => {
    const accept = 'application/vnd.pgrst.object+json'
    expect(remove({ query: 'id=eq.1', accept }).text).toContain('intercede.require_single_row(count(*))')
    expect(remove({ query: 'id=eq.1' }).text).not.toContain('require_single_row')
  })

  it('returns no more columns than the response needs', () => {
    const request = { query: 'id=eq.1&select=id&order=order', prefer: 'return=representation' }
    expect(remove(request).text).toContain('returning t."id", t."order")')
    expect(remove({ query: 'id=eq.1' }).text).toContain('returning 1 as done)')
  })
})

it('the statement of a call passes arguments by name', () => {
  expect(call({ body: '{"ids":[]}' })).toEqual({
    text:
      `select coalesce(to_json(t.value)::text, 'null') as body from json_to_record($1::json) as b("ids" uuid[]), ` +
      `lateral "public"."renumber"("ids" => b."ids") as t(value)`,
    values: ['{"ids":[]}'],
  })
})

describe('anything that a caller sends', () => {
  /** Not contained in any statement of ours. */
  const MARK = 'zqxj'
  const text = fc
    .string({
      unit: fc.constantFrom("'", '"', '\\', ';', '--', '$1', '/*', '(', ')', ',', '.', 'a', '\u0000'),
    })
    .map((noise) => `${MARK}${noise}${MARK}`)
  const quoted = text.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`)
  const column = fc.oneof(fc.constantFrom('id', 'order', '"odd \\"name"', '*'), quoted)
  const value = fc.oneof(text, quoted)
  const operator = fc.constantFrom('eq', 'not.like', 'in', 'is', MARK)
  const filter = fc.tuple(column, operator, value).map(([name, op, content]): QueryParameter => {
    return [name, op === 'in' ? `in.(${content})` : `${op}.${content}`]
  })
  const logic = fc
    .tuple(fc.constantFrom('or', 'not.and'), column, operator, quoted)
    .map(([key, ...rest]): QueryParameter => {
      return [key, `(${rest.join('.')})`]
    })
  const select = column.map((name): QueryParameter => ['select', `id,${name}`])
  const other = fc
    .tuple(
      fc.constantFrom('order', 'columns', 'on_conflict', 'limit', 'offset', MARK),
      fc.oneof(value, column),
    )
    .map(([key, content]): QueryParameter => [key, content])
  const query = fc.array(fc.oneof(filter, logic, select, other), { maxLength: 4 })
  const body = fc
    .record({ order: text, id: text, ids: fc.array(text), [MARK]: text }, { requiredKeys: [] })
    .map((object) => JSON.stringify(object))
  const prefer = fc.constantFrom(
    'return=representation',
    'resolution=merge-duplicates,return=minimal',
    'missing=default,count=exact',
  )
  const build = fc.constantFrom(read, insert, update, remove, call)

  it('never becomes part of a statement', () => {
    let statements = 0
    fc.assert(
      fc.property(build, query, body, prefer, (make, parameters, content, preference) => {
        const statement = statementOrError(() =>
          make({ query: [...parameters, ['id', `eq.${MARK}`]], body: content, prefer: preference }),
        )
        if (statement instanceof ApiError) return true
        statements += 1
        return !statement.text.includes(MARK)
      }),
      { seed: 11, numRuns: 2000 },
    )
    expect(statements).toBeGreaterThan(200)
  })

  function statementOrError(make: () => Statement): Statement | ApiError {
    try {
      return make()
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }
})
