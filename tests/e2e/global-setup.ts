import { startServer } from './fixtures/server-process.ts'
import { PREPARED_DATA } from './fixtures/server-storage.ts'

/** Starts a server once: those of the tests begin with a copy of its data, because a first start takes twice as long as a later one. */
export default async function prepareData(): Promise<() => Promise<void>> {
  const server = await startServer({})
  await server.stop()
  process.env[PREPARED_DATA] = server.dataDir
  return () => server.discard()
}
