import { SERVER } from './build.ts'
import { type Child, startChild } from './child-process.ts'

const READY = /^Intercede is ready at http:\/\/localhost:(\d+)$/m

/** Where the server keeps its data: in a PostgreSQL that is there, or in the embedded one of a folder. */
export type DataPlace = { DATABASE_URL: string; DATA_DIR: string } | { DATA_DIR: string }

/** Starts the production server, with nothing configured but its place and room for a crowd behind one address. */
export async function startIntercede(place: DataPlace): Promise<Child> {
  const env = { ...place, PORT: '0', RATE_LIMIT_FACTOR: '1000000' }
  const child = await startChild([SERVER], env, READY)
  return { ...child, url: `http://127.0.0.1:${child.url}` }
}
