import type { Finding } from './findings.ts'

/** What a part of the benchmark works with. */
export interface PartContext {
  /** A folder of this run, deleted at the end. */
  folder: string
  /** The data folder with the fixed data. No other process uses it. */
  dataDir: string
  quick: boolean
  report: (...findings: readonly Finding[]) => void
  note: (text: string) => void
}

/** Runs rounds one after the other. Resolves to their results. */
export async function runRounds<Value>(count: number, round: () => Promise<Value>): Promise<Value[]> {
  const results: Value[] = []
  for (let done = 0; done < count; done += 1) results.push(await round())
  return results
}
