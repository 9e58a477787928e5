import { describe, expect, it } from 'vitest'
import { linkOrigin, readConfig } from './config.ts'

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
      isSignUpClosed: true,
    })
    expect(readConfig(page, { anonKey: 'other' }, origin)).toEqual({
      url: origin,
      anonKey: 'key',
      siteUrl: 'https://site.example',
      productName: 'Vigil',
      xProvider: 'x',
      xEnabled: false,
      isSignUpClosed: true,
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
      isSignUpClosed: false,
      picturePath: null,
    })
  })
})

it.each([
  ['http://localhost:5173/', 'http://localhost:5173'],
  ['http://app.localhost:8080/', 'http://app.localhost:8080'],
  ['https://preview.example/', 'https://prayers.example'],
  ['https://localhost.example/', 'https://prayers.example'],
])('an email requested at %s links to %s', (page, expected) => {
  const config = readConfig(null, { siteUrl: 'https://prayers.example' }, origin)
  expect(linkOrigin(new URL(page), config)).toBe(expected)
})
