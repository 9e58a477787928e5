import { array, boolean, exactOptional, type InferOutput, object, record, string } from 'valibot'
import type { Prayer } from '#web/data/prayers.ts'

/** The answer that was typed, by the id of the prayer. The date is empty if it is not known. */
export const answerDraftSchema = object({ id: string(), answered_on: string(), answer: string() })
export type AnswerDraft = InferOutput<typeof answerDraftSchema>

/** A prayer with this answer, as the form of an answer holds it. */
export function withAnswer(prayer: Prayer, { answered_on, answer }: AnswerDraft): Prayer {
  return { ...prayer, answered_on: answered_on || null, answer: answer.trim() === '' ? null : answer }
}

/** The name of the drafts of answers. */
export const ANSWER_DRAFTS = ['answer']

/** The name of the drafts of lists. */
export const LIST_DRAFTS = ['several-prayers']

/** In place of the id of a category: that of a new one, whose name is entered. */
export const NEW_CATEGORY = 'new'

export const listDraftSchema = object({
  /** Also the id of a new category. */
  id: string(),
  category_id: string(),
  /** The name of a new category, or of a suggested one. */
  new_category: string(),
  text: string(),
  /** Whether headings are categories. */
  by_heading: exactOptional(boolean()),
  /** The keys of the lines that are left out. */
  left_out: exactOptional(array(string())),
  /** The keys of those that were left out from the start, and are not any more. */
  put_back: exactOptional(array(string())),
  /**
   * The ids under which prayers and the categories of headings were sent to be saved, by the keys of their lines: saving again must
   * not add them twice.
   */
  ids: record(string(), string()),
})
export type ListDraft = InferOutput<typeof listDraftSchema>
