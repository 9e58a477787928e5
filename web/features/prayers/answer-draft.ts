import { type InferOutput, object, string } from 'valibot'

/** What was typed, by the id of the prayer. The date is empty if it is not known. */
export const answerDraftSchema = object({ id: string(), answered_on: string(), answer: string() })
export type AnswerDraft = InferOutput<typeof answerDraftSchema>

/** The name of the drafts of answers. */
export const ANSWER_DRAFTS = ['answer']
