import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { inject } from 'vitest'
import { createPool } from '#server/db/pool.ts'
import { runAlone, urlOf } from './postgres.ts'

export interface TestDatabase {
  url: string
  /** As the server's own: connections of the schema's owner. */
  pool: Pool
  /** Ends the pool and removes the database. Rejects when somebody still holds a connection. */
  drop(): Promise<void>
}

/** A migrated database that nobody else uses; empty of people, prayers and categories. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return await copyOf(inject('testPostgres').template)
}

/** A database in which nothing has been made yet. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await copyOf('template0')
}

async function copyOf(template: string): Promise<TestDatabase> {
  const { url: serverUrl } = inject('testPostgres')
  const name = `intercede_test_${randomBytes(6).toString('hex')}`
  await runAlone(serverUrl, `create database "${name}" template "${template}"`)
  const url = urlOf(serverUrl, name)
  const pool = createPool({ url })
  return { url, pool, drop: () => drop(serverUrl, name, pool) }
}

async function drop(serverUrl: string, name: string, pool: Pool): Promise<void> {
  const held = pool.totalCount - pool.idleCount
  if (held > 0) throw new Error(`${String(held)} connections to the test database were never given back.`)
  await pool.end()
  await runAlone(serverUrl, `drop database "${name}"`)
}
