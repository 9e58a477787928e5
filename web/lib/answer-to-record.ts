import { createStore } from './store.ts'

/**
 * The id of the prayer whose answer the user wants to record; null if none. The announcement that offers this outlives the
 * screen on which the prayer was resolved.
 */
export const answerToRecord = createStore<string | null>(null)
