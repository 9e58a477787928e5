import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { migrate } from '#server/db/migrations/migrate.ts'
import { createPool } from '#server/db/pool.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { DATA_LOGIN, openTestConnection, type TestConnection } from './pgbouncer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a role that may create databases, the name of the migrated database to copy, and how servers connect. */
    testPostgres: { url: string; template: string; env: TestConnection['env'] }
    /** A folder for data folders to copy (data-folder.ts), which is removed at the end. */
    preparedFolder: string
  }
}

/** Runs once for all test files: one PostgreSQL and one migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openTestPostgres()
  const connection = await openTestConnection(server.url)
  const template = await createTemplate(server.url, connection.env.DATA_DATABASE_URL !== undefined)
  const preparedFolder = await mkdtemp(join(tmpdir(), 'intercede-prepared-'))
  project.provide('preparedFolder', preparedFolder)
  project.provide('testPostgres', { url: server.url, template, env: connection.env })
  return async () => {
    await connection.close()
    await rm(preparedFolder, { recursive: true })
    await dropTemplate(server.url, template)
    await server.close()
  }
}

export interface TestPostgres {
  /** URL of a role that may create databases. */
  url: string
  close(): Promise<void>
}

/** The PostgreSQL of TEST_DATABASE_URL or DATABASE_URL, else an embedded one that is deleted at the end. */
export async function openTestPostgres(): Promise<TestPostgres> {
  const given = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL']
  if (given !== undefined && given !== '') return { url: given, close: () => Promise.resolve() }
  const dataDir = await mkdtemp(join(tmpdir(), 'intercede-test-'))
  const server = await startEmbeddedPostgres({
    dataDir,
    // The data need not survive a power cut.
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  await runAlone(server.superuserUrl, 'alter role intercede createdb')
  return {
    url: server.url,
    close: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Creates a migrated database with a unique name, for databases of tests to be copies of. */
export async function createTemplate(url: string, throughPooler = false): Promise<string> {
  const template = `intercede_template_${randomBytes(6).toString('hex')}`
  await runAlone(url, `create database "${template}" template template0`)
  const pool = createPool({ url: urlOf(url, template), max: 1 })
  try {
    await migrate(pool, PACKAGE_ROOT)
    if (throughPooler) await migrate(pool, PACKAGE_ROOT, DATA_LOGIN)
    return template
  } catch (error) {
    await dropTemplate(url, template)
    throw error
  } finally {
    await pool.end()
  }
}

export async function dropTemplate(url: string, template: string): Promise<void> {
  await runAlone(url, `drop database "${template}" with (force)`)
}

/** Runs a statement on a new connection, outside a transaction, as creating and dropping databases requires. */
export async function runAlone(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The URL of another database on the same server. */
export function urlOf(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}
