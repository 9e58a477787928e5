import { describe, expect, it } from 'vitest'
import { checkVariables } from './static-build.ts'

const URL = 'https://project.supabase.co'
const PUBLISHABLE = 'sb_publishable_of-the-tests'

function token(role: string): string {
  return ['{"alg":"HS256"}', JSON.stringify({ role }), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
}

describe('accepts a build', () => {
  it.each([
    ['for our own server', {}],
    ['for our own server, with empty variables', { VITE_SUPABASE_URL: '', VITE_SUPABASE_ANON_KEY: '' }],
    ['with a publishable key', { VITE_SUPABASE_URL: URL, VITE_SUPABASE_ANON_KEY: PUBLISHABLE }],
    ['with the legacy anon key', { VITE_SUPABASE_URL: URL, VITE_SUPABASE_ANON_KEY: token('anon') }],
    [
      'with all variables',
      {
        VITE_SUPABASE_URL: 'http://localhost:54321/',
        VITE_SUPABASE_ANON_KEY: PUBLISHABLE,
        VITE_SITE_URL: 'https://prayers.example.org',
        VITE_X_PROVIDER: 'x',
        VITE_PRODUCT_NAME: 'Vigil',
      },
    ],
  ])('%s', (_case, variables) => {
    expect(() => checkVariables(variables)).not.toThrow()
  })
})

describe('rejects a build', () => {
  const valid = { VITE_SUPABASE_URL: URL, VITE_SUPABASE_ANON_KEY: PUBLISHABLE }

  it.each([
    [
      { VITE_PRODUCT_NAME: 'Vigil' },
      'VITE_PRODUCT_NAME is set without VITE_SUPABASE_URL: set both, or neither.',
    ],
    [{ VITE_SUPABASE_URL: URL }, 'VITE_SUPABASE_URL is set without VITE_SUPABASE_ANON_KEY: set both'],
    [{ ...valid, VITE_SUPABASE_URL: 'project' }, 'VITE_SUPABASE_URL is "project", but must be a URL'],
    [{ ...valid, VITE_SUPABASE_URL: `${URL}/rest/v1` }, 'without a path.'],
    [
      { ...valid, VITE_SITE_URL: 'prayers.example.org' },
      'VITE_SITE_URL is "prayers.example.org", but must be',
    ],
    [{ ...valid, VITE_X_PROVIDER: 'X' }, 'VITE_X_PROVIDER is "X", but must be twitter or x.'],
    [
      { ...valid, VITE_SUPABASE_ANON_KEY: 'hush' },
      'VITE_SUPABASE_ANON_KEY is (hidden), but must be a publishable key',
    ],
  ])('with %j', (variables, message) => {
    expect(() => checkVariables(variables)).toThrow(message)
  })

  it.each(['sb_secret_of-the-tests', token('service_role')])('with the secret key %s', (key) => {
    const check = () => checkVariables({ ...valid, VITE_SUPABASE_ANON_KEY: key })
    expect(check).toThrow('VITE_SUPABASE_ANON_KEY is a secret key')
    expect(check).not.toThrow(key)
  })
})
