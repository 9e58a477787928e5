import { runNode } from './run-command.mjs'

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {readonly string[]} args
 */

/** What is found out by reading the code. @type {readonly Stage[]} */
export const STATIC_STAGES = [
  { name: 'types of server and tests', args: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'] },
  { name: 'types of the web app', args: ['node_modules/typescript/bin/tsc', '-p', 'web/tsconfig.json'] },
  {
    name: 'types of the end-to-end tests',
    args: ['node_modules/typescript/bin/tsc', '-p', 'tests/e2e/tsconfig.json'],
  },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--quiet'] },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--cache', '.'] },
  { name: 'dead code', args: ['node_modules/knip/bin/knip.js'] },
]

const LIMIT = 300

/**
 * Runs a stage and says in one line how it went, followed by what it printed when it failed.
 * @param {Stage} stage
 * @returns {Promise<boolean>} whether it passed
 */
export async function runStage(stage) {
  const { ok, output, seconds } = await runNode(stage.args, { limit: LIMIT, show: false })
  console.log(`${ok ? '✓' : '✗'} ${stage.name} (${seconds.toFixed(1)} s)`)
  if (!ok) console.log(output.trimEnd())
  return ok
}
