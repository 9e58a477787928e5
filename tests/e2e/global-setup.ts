import { startServer } from './fixtures/server-process.ts'
import { PREPARED_DATA } from './fixtures/server-storage.ts'

/** Prepares the data that test servers begin with a copy of: the first start of a server takes twice as long as a later one. */
export default async function prepareData(): Promise<() => Promise<void>> {
  const server = await startServer({})
  await server.stop()
  process.env[PREPARED_DATA] = server.dataDir
  return () => server.discard()
}
