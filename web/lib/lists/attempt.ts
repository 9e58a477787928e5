import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { type Attempt, reportFailure } from '../error-text.ts'
import { noteProblem } from './problem.ts'

/** How an action ended: done, or not done for the reason given in words for the person. */
export type ActionResult = { success: true } | { success: false; error: string }

/**
 * Runs an action on a list. A failure is noted as the list's problem, told to the console and returned; it never
 * rejects.
 *
 * @param what what is tried: it has the words for its failure where the server gives none
 */
export async function attempt(
  client: QueryClient,
  list: QueryKey,
  what: Attempt,
  action: () => Promise<unknown>,
): Promise<ActionResult> {
  noteProblem(client, list, null)
  try {
    await action()
    return { success: true }
  } catch (failure) {
    const error = reportFailure(what, failure)
    noteProblem(client, list, error)
    return { success: false, error }
  }
}
