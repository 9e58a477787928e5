import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { type Child, startChild } from './child-process.ts'

const READY = /^Intercede is ready at http:\/\/localhost:(\d+)$/m
const COMMAND = /"start": "node ([^"]+)"/

/** Where the server keeps its data: in a PostgreSQL that is there, or in the embedded one of a folder. */
export type DataPlace = { DATABASE_URL: string; DATA_DIR: string } | { DATA_DIR: string }

/** Starts the server as `npm start` does, with nothing configured but its place and room for a crowd behind one address. */
export async function startIntercede(place: DataPlace): Promise<Child> {
  const env = { ...place, PORT: '0', RATE_LIMIT_FACTOR: '1000000' }
  const child = await startChild(startArguments(), env, READY)
  return { ...child, url: `http://127.0.0.1:${child.url}` }
}

/** What `npm start` gives to Node.js, with the path of the script made whole. */
function startArguments(): string[] {
  const given = COMMAND.exec(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'))?.[1]
  if (given === undefined) throw new Error('npm start does not start Node.js.')
  return given.split(' ').map((part) => (part.startsWith('-') ? part : join(PACKAGE_ROOT, part)))
}
