import { readFile } from 'node:fs/promises'
import { fieldsOf } from '#shared/fields.ts'

/** Linux counts processor time in hundredths of a second, whatever its kernel's own clock. */
const TICKS_PER_SECOND = 100
const USER_TICKS = 11
const SYSTEM_TICKS = 12

/** Whether this system tells what another process uses. */
export const TELLS_USAGE = process.platform === 'linux'

/** Seconds of processor time that the process has used with all its threads. */
export async function processorTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/stat`, 'utf8')
  // The name in parentheses may hold anything; the numbers come behind it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND
}

/** Seconds of processor time that the process and those that it has started and that still run have used. */
export async function processorTimeOfFamily(pid: number): Promise<number> {
  const children = await readFile(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8')
  const members = [pid, ...children.split(' ').filter(Boolean).map(Number)]
  const times = await Promise.all(members.map((member) => processorTime(member).catch(nothingIfEnded)))
  return times.reduce((sum, time) => sum + time, 0)
}

function nothingIfEnded(error: unknown): number {
  const { code } = fieldsOf(error)
  if (code === 'ENOENT' || code === 'ESRCH') return 0
  throw error
}

/** The most memory that the process has held at once, in megabytes (10^6 bytes). */
export async function peakMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/status`, 'utf8')
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1]
  if (kibibytes === undefined) throw new Error('This system does not tell the memory of a process.')
  return (Number(kibibytes) * 1024) / 1e6
}
