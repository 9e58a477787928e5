import { expect, it } from 'vitest'
import { runNode } from './run-node.mjs'

/** An hour. */
const NO_LIMIT = 3600
const ENDLESS = 'setInterval(() => {}, 1000)'
/** The grandchild keeps the output pipe open while it runs. */
const WITH_CHILD = `
const { spawn } = require('node:child_process')
spawn(process.execPath, ['-e', ${JSON.stringify(ENDLESS)}], { stdio: 'inherit' })
${ENDLESS}`

it('returns the output of a script and whether it succeeded', async () => {
  const good = await runNode(['-e', 'console.log(1); console.error(2)'], { limit: NO_LIMIT })
  expect(good).toMatchObject({ ok: true, output: expect.stringMatching(/^(1\n2\n|2\n1\n)$/) })
  const bad = await runNode(['-e', 'process.exit(3)'], { limit: NO_LIMIT })
  expect(bad).toMatchObject({ ok: false, output: '' })
})

it('passes environment variables', async () => {
  const script = 'process.stdout.write(process.env.GREETING)'
  const { output } = await runNode(['-e', script], { limit: NO_LIMIT, env: { GREETING: 'hello' } })
  expect(output).toBe('hello')
})

it('stops a script after the time limit, with everything it started', async () => {
  const { ok, output } = await runNode(['-e', WITH_CHILD], { limit: 1 })
  expect(ok).toBe(false)
  expect(output).toContain('Stopped after 1 s, the time limit.')
})
