/** What a part of the bench is given. */
export interface Bench {
  /** A folder of this run's own, removed at its end. */
  folder: string
  /** The data folder with the fixed data in it, which nobody uses at the moment. */
  dataDir: string
  quick: boolean
  /** Tells whoever waits what is going on. */
  say: (line: string) => void
}
