import { StartupError } from '../../errors/operator-errors.ts'

/** PostgreSQL's messages, in English, about files that are missing, empty, overwritten or not its own. */
const DAMAGE =
  /pg_control|files are incompatible with server|required WAL directory|checkpoint record|status of transaction|invalid page in block|contains invalid data|not a valid data directory|PG_VERSION|configuration file ".*No such file|pg_hba\.conf|could not (?:open|read) (?:file|directory)|invalid data in file|template1|database "postgres" does not exist/

/** What to do about messages of PostgreSQL that an operator can't be expected to understand. */
const ADVICE: readonly { pattern: RegExp; error: (cluster: string, message: string) => StartupError }[] = [
  {
    pattern: /has invalid permissions/,
    error: (cluster) =>
      new StartupError(
        `The folder ${cluster} is accessible to other users, which PostgreSQL does not allow: run chmod 700 ${cluster}.`,
      ),
  },
  {
    pattern: /has wrong ownership/,
    error: ofAnotherUser,
  },
  {
    pattern: /Cannot allocate memory|out of memory|failed to map segment/i,
    error: () =>
      new StartupError(
        'There is too little memory or address space for PostgreSQL: remove or raise their limits (ulimit -v, MemoryMax= and ' +
          'LimitAS= in a unit of systemd), or free some memory.',
      ),
  },
  {
    pattern: /pre-existing shared memory block/,
    error: (cluster) =>
      new StartupError(
        `The folder ${cluster} is in use by processes of another PostgreSQL: stop those first, or set DATA_DIR to another folder.`,
      ),
  },
  {
    pattern: /configuration file ".*" contains errors/,
    error: (cluster) =>
      new StartupError(
        `The settings in ${cluster} contain errors: correct what was changed in postgresql.conf.`,
      ),
  },
  // Reported with the file that could not be written.
  { pattern: /No space left|Read-only file system|Permission denied/i, error: unexpected },
  { pattern: DAMAGE, error: damagedDatabase },
]

/** Turns the log of a PostgreSQL that did not start into one sentence. */
export function explainLog(cluster: string, log: string): StartupError {
  const lines = log.split('\n').filter((line) => line !== '')
  const line = lines.find((text) => /FATAL|PANIC/.test(text)) ?? lines.at(-1) ?? 'it exited without a message'
  const message = line.replace(/^.*?(?:FATAL|PANIC):\s+|^postgres: |^but /, '')
  const advice = ADVICE.find(({ pattern }) => pattern.test(log))
  return (advice?.error ?? unexpected)(cluster, message)
}

/** Returns the error for a folder that another user has to open. */
export function ofAnotherUser(cluster: string): StartupError {
  return new StartupError(
    `The folder ${cluster} belongs to another user: start Intercede as that user, or give the folder to this one.`,
  )
}

/** Returns the error for a database that can't be opened, with the reason. */
export function damagedDatabase(cluster: string, reason: string, cause?: unknown): StartupError {
  return new StartupError(
    `The database in ${cluster} is damaged or incomplete (${reason}): restore a backup into a new folder, with DATA_DIR set to it ` +
      'and npm run restore -- FILE.',
    { cause },
  )
}

function unexpected(cluster: string, message: string): StartupError {
  return new StartupError(`PostgreSQL did not start in ${cluster}: ${message}`)
}
