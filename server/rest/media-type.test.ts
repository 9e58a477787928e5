import { describe, expect, it } from 'vitest'
import { chooseFormat } from './media-type.ts'

describe('the format of an answer', () => {
  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json; charset=utf-8'],
    ['application/vnd.pgrst.object+json', 'application/vnd.pgrst.object+json; charset=utf-8'],
    [
      'application/json;q=0.5, application/vnd.pgrst.object',
      'application/vnd.pgrst.object+json; charset=utf-8',
    ],
    [
      'application/vnd.pgrst.array+json;nulls=stripped',
      'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
    ],
  ])('for %s is %s', (accept, contentType) => {
    expect(chooseFormat(accept)).toMatchObject({ contentType })
  })

  it.each(['text/csv', 'text/html;q=1', 'application/json;q=0', ';;;'])('is refused for %s', (accept) => {
    expect(() => chooseFormat(accept)).toThrow(expect.objectContaining({ status: 406, code: 'PGRST107' }))
  })
})
