import { readFileSync } from 'node:fs'

/** Milliseconds. */
const INTERVAL = 250

/**
 * Sends SIGHUP to this process when npm has ended. npm runs a script in a shell and passes on SIGTERM and SIGINT to that shell
 * only, which ends without passing them on; other signals end npm alone.
 */
export function stopWithNpm() {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parents = readParents()
  const timer = setInterval(() => {
    if (readParents() === parents) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGHUP')
  }, INTERVAL)
  timer.unref()
}

/**
 * The process ids of the parent and, if that is npm's shell, of npm. A process whose parent has ended gets another one. The
 * shell of macOS replaces itself with the script, so that npm is the parent.
 */
function readParents() {
  const parent = String(process.ppid)
  const [, option] = readProcess(parent, 'cmdline').split('\0')
  if (option !== '-c') return parent
  const [, npm = ''] = /^PPid:\s*(\d+)$/m.exec(readProcess(parent, 'status')) ?? []
  return `${parent} ${npm}`
}

/**
 * Reads what Linux knows of a process; empty elsewhere, and if it has ended.
 * @param {string} pid
 * @param {'cmdline' | 'status'} file
 */
function readProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
