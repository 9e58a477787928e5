import type { Finding } from '../finding.ts'

/** What a section has found, and what is to be said besides. */
export interface Found {
  findings: Finding[]
  notes: string[]
}
