import type { Endpoint } from './endpoint.ts'
import type { NativeBinaries } from './native-binaries.ts'
import type { OperatingUser } from './operating-user.ts'

/** All there is to know for starting PostgreSQL. */
export interface LaunchPlan {
  /** The folder of the database. */
  cluster: string
  endpoint: Endpoint
  binaries: NativeBinaries
  user: OperatingUser
  settings: Readonly<Record<string, string>>
  /** Told each line of PostgreSQL's log. */
  onLogLine: (line: string) => void
}
