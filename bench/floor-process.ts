import { FLOOR } from './build.ts'
import { type Child, startChild } from './child-process.ts'
import type { Operation } from './operations/operation.ts'

const READY = /^The floor is ready at (\S+)$/m

/** Starts the floor of an operation in a process of its own, for the people from number `firstPerson` on. */
export async function startFloor(
  operation: Operation,
  firstPerson: number,
  databaseUrl: string,
): Promise<Child> {
  const args = [FLOOR, operation.what, String(firstPerson)]
  return await startChild(args, { DATABASE_URL: databaseUrl }, READY)
}
