/** The setting that tells a later start which server a running PostgreSQL belongs to. */
export const OWNER_SETTING = 'intercede.server_pid'

/**
 * Settings of the embedded PostgreSQL, given on its command line so that they are this version's, whatever an older
 * one wrote into the folder. What is not here keeps PostgreSQL's default, and can be set in postgresql.conf.
 */
export const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  // Nothing acknowledged is ever lost.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  // Small: one person's, or one parish's, data.
  max_connections: '40',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
  jit: 'off',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',

  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Errors of statements quote the values they were given, which are nobody's business.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  logging_collector: 'off',
  log_destination: 'stderr',
}

/** What PostgreSQL logs when it has started, in the language of `lc_messages`. */
export const READY_LINE = 'database system is ready to accept connections'

/** As arguments of `postgres`. */
export function asArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
