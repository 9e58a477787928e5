import { expect, it } from 'vitest'
import { runNode } from './run-command.mjs'

const FOR_EVER = 'setInterval(() => {}, 1000)'
/** The child holds our end of the output open for as long as it lives. */
const WITH_CHILD = `
const { spawn } = require('node:child_process')
spawn(process.execPath, ['-e', ${JSON.stringify(FOR_EVER)}], { stdio: 'inherit' })
${FOR_EVER}`

it('tells what a program printed and whether it was content', async () => {
  const good = await runNode(['-e', 'console.log(1); console.error(2)'], { limit: 30, show: false })
  expect(good).toMatchObject({ ok: true, output: expect.stringMatching(/^(1\n2\n|2\n1\n)$/) })
  const bad = await runNode(['-e', 'process.exit(3)'], { limit: 30, show: false })
  expect(bad).toMatchObject({ ok: false, output: '' })
})

it('hands further variables over', async () => {
  const script = 'process.stdout.write(process.env.GREETING)'
  const { output } = await runNode(['-e', script], { limit: 30, show: false, env: { GREETING: 'hello' } })
  expect(output).toBe('hello')
})

it('ends a program that takes too long, with everything it started', async () => {
  const { ok, output } = await runNode(['-e', WITH_CHILD], { limit: 1, show: false })
  expect(ok).toBe(false)
  expect(output).toContain('Ended after 1 s, the limit of this stage.')
})
