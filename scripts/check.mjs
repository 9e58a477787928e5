import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { runStage, STATIC_STAGES } from './static-stages.mjs'

process.chdir(resolve(import.meta.dirname, '..'))

const TESTS = {
  name: 'unit and web tests',
  args: ['node_modules/vitest/vitest.mjs', 'run', '--project=unit', '--project=web', '--reporter=dot'],
}

const started = performance.now()
// The longest first: the others find room beside it.
const waiting = [TESTS, ...STATIC_STAGES]
const total = waiting.length
let passed = 0

async function work() {
  for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) {
    if (await runStage(stage)) passed += 1
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work))
console.log(`\n${passed} of ${total} checks passed in ${((performance.now() - started) / 1000).toFixed(1)} s`)
if (passed < total) process.exitCode = 1
