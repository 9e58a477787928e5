import { spawn } from 'node:child_process'

const INTERRUPTED = 130
const INHERITED_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
const PATIENCE = 5000
const ownsGroups = process.platform !== 'win32'

/**
 * @typedef {object} Outcome
 * @property {boolean} ok
 * @property {string} output what it printed, when that was kept
 * @property {number} seconds
 */

/**
 * Runs a program of Node.js with everything it starts as one group: a signal to us, or the time limit, ends the group.
 * @param {readonly string[]} args script and its arguments
 * @param {{ limit: number, show: boolean, env?: Record<string, string> }} options `limit` in seconds; `show` prints
 * at once what is otherwise kept
 * @returns {Promise<Outcome>}
 */
export function runNode(args, { limit, show, env = {} }) {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    detached: ownsGroups,
  })
  /** @type {string[]} */
  const output = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => output.push(text))
  }
  let interrupted = false
  const end = (/** @type {NodeJS.Signals} */ signal) => endGroup(child, signal)
  const leave = (/** @type {NodeJS.Signals} */ signal) => {
    interrupted = true
    end(signal)
  }
  for (const signal of INHERITED_SIGNALS) process.on(signal, leave)
  const late = setTimeout(() => {
    const reason = `\nEnded after ${limit} s, the limit of this stage.\n`
    if (show) process.stdout.write(reason)
    else output.push(reason)
    end('SIGTERM')
    setTimeout(() => end('SIGKILL'), PATIENCE).unref()
  }, limit * 1000)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(late)
      for (const signal of INHERITED_SIGNALS) process.off(signal, leave)
      if (interrupted) process.exit(INTERRUPTED)
      resolve({ ok: code === 0, output: output.join(''), seconds: (performance.now() - started) / 1000 })
    })
  })
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function endGroup(child, signal) {
  if (child.pid === undefined) return
  try {
    process.kill(ownsGroups ? -child.pid : child.pid, signal)
  } catch (error) {
    // The group has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
