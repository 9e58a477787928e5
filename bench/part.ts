import type { Finding } from './findings.ts'

/** What a part of the benchmark works with. */
export interface PartContext {
  /** The checkout that is measured. */
  project: string
  /** A folder of this run, deleted at the end. */
  folder: string
  /** The data folder with the fixed data. No other process uses it. */
  dataDir: string
  quick: boolean
  report: (...findings: readonly Finding[]) => void
  note: (text: string) => void
  /**
   * Whether there is time for another round: a slow machine gets fewer rounds. `share` is the fraction of the part's
   * time limit by which the rounds should have ended.
   */
  hasTime: (share?: number) => boolean
}

/** Runs up to `count` rounds, and at least one. */
export async function runRounds(
  count: number,
  hasTime: () => boolean,
  round: () => Promise<void>,
): Promise<void> {
  for (let done = 0; done < count && (done === 0 || hasTime()); done += 1) await round()
}
