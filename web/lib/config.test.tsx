import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const origin = 'https://prayers.example'

describe('configuration', () => {
  it('is read from the page, where our server puts it', () => {
    const page = JSON.stringify({
      url: '',
      anonKey: 'key',
      siteUrl: 'https://site.example/',
      productName: 'Vigil',
      xProvider: 'x',
      xEnabled: false,
    })
    expect(readConfig(page, { anonKey: 'other' }, origin)).toEqual({
      url: origin,
      anonKey: 'key',
      siteUrl: 'https://site.example',
      productName: 'Vigil',
      xProvider: 'x',
      xEnabled: false,
      picturePath: '/pictures/',
    })
  })

  it('is read from the build variables if the page contains none', () => {
    const build = { url: 'https://project.supabase.co/', anonKey: 'key', siteUrl: undefined }
    expect(readConfig(null, build, origin)).toEqual({
      url: 'https://project.supabase.co',
      anonKey: 'key',
      siteUrl: origin,
      productName: 'Intercede',
      xProvider: 'twitter',
      xEnabled: null,
      picturePath: null,
    })
  })
})
