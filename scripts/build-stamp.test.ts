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

async function pretendToBuild(environment: NodeJS.ProcessEnv = {}): Promise<void> {
  await put('dist/server/main.js', '')
  await put('dist/web/index.html', '')
  await writeStamp(root, await computeStamp(root, environment))
}

describe('isBuilt', () => {
  it('accepts what was built from the same sources', async () => {
    await pretendToBuild()
    expect(await isBuilt(root, {})).toBe(true)
  })

  it.each(['server/main.ts', 'server/db/new.sql', 'package-lock.json', 'web/app/deeper/screen.tsx'])(
    'asks for a build when %s changed',
    async (path) => {
      await pretendToBuild()
      await put(path, 'other')
      expect(await isBuilt(root, {})).toBe(false)
    },
  )

  it('asks for a build when a source was renamed', async () => {
    await put('web/app/old.ts', 'same')
    await pretendToBuild()
    await rm(join(root, 'web/app/old.ts'))
    await put('web/app/new.ts', 'same')
    expect(await isBuilt(root, {})).toBe(false)
  })

  it('asks for a build when a VITE_ variable changed, and for no other variable', async () => {
    await pretendToBuild({ VITE_SITE_URL: 'https://one.example', PORT: '1' })
    expect(await isBuilt(root, { VITE_SITE_URL: 'https://one.example', PORT: '2' })).toBe(true)
    expect(await isBuilt(root, { VITE_SITE_URL: 'https://two.example' })).toBe(false)
    expect(await isBuilt(root, {})).toBe(false)
  })

  it('does not mind changed tests and texts', async () => {
    await pretendToBuild()
    await put('server/main.test.ts', 'other')
    await put('web/README.md', 'other')
    expect(await isBuilt(root, {})).toBe(true)
  })

  it('asks for a build when a part of the last one is missing', async () => {
    await pretendToBuild()
    await rm(join(root, 'dist/web/index.html'))
    expect(await isBuilt(root, {})).toBe(false)
  })

  it('asks for a build when the last one did not come to its end', async () => {
    await pretendToBuild()
    await removeStamp(root)
    expect(await isBuilt(root, {})).toBe(false)
  })
})
