import { spawn } from 'node:child_process'

const INTERRUPTED = 130
const FORWARDED_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_PERIOD = 5000
const hasProcessGroups = process.platform !== 'win32'

/**
 * @typedef {object} Outcome
 * @property {boolean} ok
 * @property {string} output
 * @property {number} seconds
 */

/**
 * Runs a script with Node.js. A signal to this process, or the time limit, ends the script and everything it started.
 * @param {readonly string[]} args script and its arguments
 * @param {{ limit: number, env?: Record<string, string> }} options `limit` in seconds
 * @returns {Promise<Outcome>}
 */
export function runNode(args, { limit, env = {} }) {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: hasProcessGroups,
  })
  /** @type {string[]} */
  const output = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => output.push(text))
  }
  let interrupted = false
  const interrupt = (/** @type {NodeJS.Signals} */ signal) => {
    interrupted = true
    killGroup(child, signal)
  }
  for (const signal of FORWARDED_SIGNALS) process.on(signal, interrupt)
  const timeout = setTimeout(() => {
    output.push(`\nStopped after ${limit} s, the time limit.\n`)
    killGroup(child, 'SIGTERM')
    setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_PERIOD).unref()
  }, limit * 1000)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timeout)
      for (const signal of FORWARDED_SIGNALS) process.off(signal, interrupt)
      if (interrupted) process.exit(INTERRUPTED)
      resolve({ ok: code === 0, output: output.join(''), seconds: (performance.now() - started) / 1000 })
    })
  })
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function killGroup(child, signal) {
  if (child.pid === undefined) return
  try {
    process.kill(hasProcessGroups ? -child.pid : child.pid, signal)
  } catch (error) {
    // The group has exited by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
