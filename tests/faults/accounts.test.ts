// `npm run accounts` as processes, beside a server without a mail server. What its commands do is tested in contract/operations.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { signUp } from '#tests/contract/auth/auth-client.ts'
import { makeDataFolder } from '#tests/support/data-folder.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { embeddedUrl, type Site, startSite } from './site.ts'

let dataDir: string
let site: Site

beforeAll(async () => {
  dataDir = await makeDataFolder()
  site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
})
afterAll(async () => {
  await site.process.end('SIGKILL')
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs a command, which is given the answer to what it asks. */
async function run(args: readonly string[], answer = '') {
  const program = join(PACKAGE_ROOT, 'dist', 'server', 'accounts.js')
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, SITE_URL: site.url },
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  child.stdin.end(answer)
  const [code]: unknown[] = await once(child, 'close')
  return { code, output, errors }
}

it('ends with 1 if something was not done, and warns and asks beside the output', async () => {
  await signUp(site, 'ruth@example.org')
  const invited = await run(['invite', 'ruth@example.org', 'ben@example.org', '--json'])
  expect(invited).toMatchObject({ code: 1, errors: expect.stringContaining(`Links lead to ${site.url}`) })
  expect(JSON.parse(invited.output)).toMatchObject([
    { address: 'ruth@example.org', result: 'has-account' },
    { address: 'ben@example.org', result: 'link' },
  ])

  expect(await run(['delete', 'ruth@example.org'], 'ruth\n')).toMatchObject({
    code: 1,
    output: '',
    errors: expect.stringMatching(/Type the address again: Nothing was changed\.\n$/),
  })
  expect(await run(['delete', 'ruth@example.org'], 'ruth@example.org\n')).toMatchObject({
    code: 0,
    output: 'ruth@example.org is deleted.\n',
  })
  expect(await run(['block', 'ruth@example.org'])).toEqual({
    code: 1,
    output: '',
    errors: 'There is no account for ruth@example.org.\n',
  })
})
