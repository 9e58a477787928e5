import { cpus, loadavg, totalmem } from 'node:os'

/** Where the numbers come from: they are to be compared within a run, never between machines. */
export interface Machine {
  processors: string
  memory: string
  node: string
  system: string
}

export function describeMachine(): Machine {
  const all = cpus()
  return {
    processors: `${String(all.length)} x ${all[0]?.model.trim() ?? 'unknown'}`,
    memory: `${String(Math.round(totalmem() / 2 ** 30))} GiB`,
    node: process.version,
    system: `${process.platform} ${process.arch}`,
  }
}

/** How many processes wanted a processor over the last minute; beyond our own, others make the numbers worse. */
export function currentLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10
}
