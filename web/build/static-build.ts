import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { isRecord } from '#shared/is-record.ts'
import { nameManifest, namePage } from '#shared/page.ts'

type Variables = Readonly<Record<string, string | undefined>>

const VARIABLE_NAMES = [
  'VITE_SUPABASE_URL',
  'VITE_SUPABASE_ANON_KEY',
  'VITE_SITE_URL',
  'VITE_X_PROVIDER',
  'VITE_PRODUCT_NAME',
] as const

/**
 * Supports builds for another backend: stops the build if variables are missing or would publish a secret key, and puts
 * the product name and site URL into the page, which our own server does when it sends the page.
 */
export function staticBuild(): Plugin {
  let variables: Variables = {}
  return {
    name: 'static-build',
    apply: 'build',
    configResolved: ({ env }) => {
      checkVariables(env)
      variables = env
    },
    transformIndexHtml: (page) => namePage(page, namesOf(variables)),
    writeBundle: async ({ dir = '' }) => {
      const manifest = join(dir, 'manifest.webmanifest')
      const { productName } = namesOf(variables)
      await writeFile(manifest, nameManifest(await readFile(manifest, 'utf8'), productName))
    },
  }
}

/** Without variables the default values stay, and our server replaces them. */
function namesOf(variables: Variables) {
  return {
    productName: given(variables['VITE_PRODUCT_NAME']) ?? 'Intercede',
    siteUrl: given(variables['VITE_SITE_URL'])?.replace(/\/$/, '') ?? '',
  }
}

function given(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value
}

/**
 * Throws an error for the first invalid VITE_* variable. If none is set, the build is for our own server, which sends
 * the configuration with the page.
 */
export function checkVariables(variables: Variables): void {
  const set = VARIABLE_NAMES.filter((name) => given(variables[name]) !== null)
  const [first] = set
  if (first === undefined) return
  for (const name of ['VITE_SUPABASE_URL', 'VITE_SUPABASE_ANON_KEY'] as const) {
    if (!set.includes(name)) throw new Error(`${first} is set without ${name}: set both, or neither.`)
  }
  checkOrigin('VITE_SUPABASE_URL', variables)
  if (set.includes('VITE_SITE_URL')) checkOrigin('VITE_SITE_URL', variables)
  checkKey(variables['VITE_SUPABASE_ANON_KEY'] ?? '')
  const provider = variables['VITE_X_PROVIDER'] ?? ''
  if (!['', 'twitter', 'x'].includes(provider)) {
    throw new Error(`VITE_X_PROVIDER is "${provider}", but must be twitter or x.`)
  }
}

function checkOrigin(name: (typeof VARIABLE_NAMES)[number], variables: Variables): void {
  const text = variables[name] ?? ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return
  throw new Error(`${name} is "${text}", but must be a URL such as https://example.org, without a path.`)
}

/** The key is published with the app, so it must be a public one. */
function checkKey(key: string): void {
  if (/^sb_publishable_\w/.test(key) || roleOf(key) === 'anon') return
  throw new Error(
    key.startsWith('sb_secret_') || roleOf(key) === 'service_role'
      ? 'VITE_SUPABASE_ANON_KEY is a secret key. Anyone who opens the app could read and change all data with it. Use the publishable key or the anon key.'
      : 'VITE_SUPABASE_ANON_KEY is (hidden), but must be a publishable key (sb_publishable_…) or a legacy anon key (eyJ…).',
  )
}

/** The `role` claim of a token; undefined if the text is not a token. */
function roleOf(key: string): unknown {
  try {
    const claims: unknown = JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString())
    return isRecord(claims) ? claims['role'] : undefined
  } catch {
    return undefined
  }
}
