import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { precompress } from './precompress.mjs'

const TEXT = 'Brethren, pray for us. '.repeat(100)
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intercede-precompress-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

it('compresses text files in both formats, also in subfolders', async () => {
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/app.js'), TEXT)
  await precompress(folder)
  const brotli = await readFile(join(folder, 'assets/app.js.br'))
  const gzipped = await readFile(join(folder, 'assets/app.js.gz'))
  expect(brotliDecompressSync(brotli).toString()).toBe(TEXT)
  expect(gunzipSync(gzipped).toString()).toBe(TEXT)
})

it('skips files that are compressed already or would grow', async () => {
  await writeFile(join(folder, 'picture.png'), TEXT)
  await writeFile(join(folder, 'tiny.txt'), 'a')
  await precompress(folder)
  expect((await readdir(folder)).toSorted()).toEqual(['picture.png', 'tiny.txt'])
})
