import { describe, expect, it } from 'vitest'
import { readOptions, SECTIONS } from './options.ts'

describe('the command line', () => {
  it('asks for everything when it says nothing', () => {
    expect(readOptions([])).toEqual({ sections: SECTIONS, quick: false })
  })

  it('may ask for some parts, which keep their order', () => {
    expect(readOptions(['--quick', '--only=page,start'])).toEqual({
      sections: ['start', 'page'],
      quick: true,
    })
  })

  it.each([['--only=sever'], ['--only='], ['--only=page,page2']])('is refused: %s', (arg) => {
    expect(() => readOptions([arg])).toThrow('it takes server, plan, start, signins, scale, page, use')
  })

  it('is refused when it holds anything else', () => {
    expect(() => readOptions(['--fast'])).toThrow('--fast')
  })
})
