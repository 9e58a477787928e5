import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { computeStamp, isBuilt, removeStamp, writeStamp } from './build-stamp.mjs'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'intercede-stamp-'))
  await put('package.json', '{}')
  await put('server/main.ts', 'one')
  await put('web/app/main.tsx', 'two')
})

afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

async function simulateBuild(environment: NodeJS.ProcessEnv = {}): Promise<void> {
  await put('dist/server/main.js', '')
  await put('dist/web/index.html', '')
  await writeStamp(root, await computeStamp(root, environment))
}

describe('isBuilt', () => {
  it('returns true after a build of the same sources', async () => {
    await simulateBuild()
    expect(await isBuilt(root, {})).toBe(true)
  })

  it.each(['server/main.ts', 'server/db/new.sql', 'package-lock.json', 'web/app/deeper/screen.tsx'])(
    'returns false after a change of %s',
    async (path) => {
      await simulateBuild()
      await put(path, 'other')
      expect(await isBuilt(root, {})).toBe(false)
    },
  )

  it('returns false after a file was renamed', async () => {
    await put('web/app/old.ts', 'same')
    await simulateBuild()
    await rm(join(root, 'web/app/old.ts'))
    await put('web/app/new.ts', 'same')
    expect(await isBuilt(root, {})).toBe(false)
  })

  it('depends on VITE_* variables and on no others', async () => {
    await simulateBuild({ VITE_SITE_URL: 'https://one.example', PORT: '1' })
    expect(await isBuilt(root, { VITE_SITE_URL: 'https://one.example', PORT: '2' })).toBe(true)
    expect(await isBuilt(root, { VITE_SITE_URL: 'https://two.example' })).toBe(false)
    expect(await isBuilt(root, {})).toBe(false)
  })

  it('ignores tests and Markdown files', async () => {
    await simulateBuild()
    await put('server/main.test.ts', 'other')
    await put('web/README.md', 'other')
    expect(await isBuilt(root, {})).toBe(true)
  })

  it('returns false if an output is missing', async () => {
    await simulateBuild()
    await rm(join(root, 'dist/web/index.html'))
    expect(await isBuilt(root, {})).toBe(false)
  })

  it('returns false after an interrupted build', async () => {
    await simulateBuild()
    await removeStamp(root)
    expect(await isBuilt(root, {})).toBe(false)
  })
})
