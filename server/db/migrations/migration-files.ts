import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One file `<version>_<name>.sql`. */
export interface Migration {
  /** Fourteen digits, by which migrations are ordered. */
  version: string
  name: string
  fileName: string
  sql: string
}

const FILE_NAME = /^(\d{14})_(\w+)\.sql$/

/** Reads the migrations of a folder in their order. A file of another name is an error rather than left out. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder)
  const fileNames = entries.filter((entry) => entry.endsWith('.sql')).toSorted()
  return await Promise.all(fileNames.map((fileName) => readMigration(folder, fileName)))
}

async function readMigration(folder: string, fileName: string): Promise<Migration> {
  const [, version, name] = FILE_NAME.exec(fileName) ?? []
  if (version === undefined || name === undefined) {
    throw new Error(`A migration is named <14 digits>_<words>.sql, and ${join(folder, fileName)} is not.`)
  }
  return { version, name, fileName, sql: await readFile(join(folder, fileName), 'utf8') }
}
