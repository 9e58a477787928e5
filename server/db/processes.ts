import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errorCode } from '../errors/system-error.ts'

/**
 * The command line of a process, its parts separated by spaces; null if there is no such process, or only a zombie, and on
 * Windows, which has no simple way to read it.
 */
export async function commandLineOf(pid: number): Promise<string | null> {
  const text = process.platform === 'linux' ? await readFromProc(pid) : await readWithPs(pid)
  return text === '' ? null : text
}

async function readFromProc(pid: number): Promise<string> {
  const text = await readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => '')
  return text.split('\0').join(' ').trim()
}

async function readWithPs(pid: number): Promise<string> {
  if (process.platform === 'win32') return ''
  const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout.trim()
}

const NODE = /(?:^|\/)node(?:js)?(?: |$)/

/**
 * Whether the process with this id is another program of Node.js. The system gives the id of a process that has ended to a
 * new one, which may be anything, and may be this process.
 */
export async function isOtherNodeProcess(pid: number): Promise<boolean> {
  if (pid === process.pid) return false
  if (process.platform === 'win32') return isAlive(pid)
  return NODE.test((await commandLineOf(pid)) ?? '')
}

/** Whether there is a process with this id, or a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Sends a signal to a process that may have exited in the meantime. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
