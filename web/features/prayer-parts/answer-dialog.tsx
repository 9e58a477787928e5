import { useRef, useState } from 'react'
import { ANSWER_MAX_LENGTH } from '#shared/limits.ts'
import { UNREADABLE } from '#web/data/encryption-status.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { useUpdatesOf } from '#web/data/prayer-updates.ts'
import { usePrayerActions } from '#web/data/prayer-actions.ts'
import { type Prayer, type PrayerFields, usePrayers } from '#web/data/prayers.ts'
import { dateText, weekdayText } from '#web/lib/days/day-text.ts'
import { addDays, today } from '#web/lib/days/days.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { shortName } from '#web/lib/short-name.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { FormDraft } from '#web/ui/draft-offer.tsx'
import { TextArea } from '#web/ui/fields.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { ANSWER_DRAFTS, type AnswerDraft, answerDraftSchema, withAnswer } from './drafts.ts'
import { changedFields } from './prayer-form.ts'
import { TextOffer } from './shared-text-offers.tsx'

interface AnswerDialogProps {
  prayer: Prayer
  /** The key of the draft with which the form begins. */
  restore?: string | undefined
  onClose: () => void
}

/** Records when and how a prayer was answered. It keeps what was typed if saving fails, and offers it again if it was closed. */
export function AnswerDialog({ prayer: given, restore, onClose }: AnswerDialogProps) {
  const answerRef = useRef<HTMLTextAreaElement>(null)
  const { rows } = usePrayers()
  // It may have been resolved just before the dialog was opened.
  const [prayer] = useState(() => rows?.find(({ id }) => id === given.id) ?? given)
  const initial = { id: prayer.id, answered_on: prayer.answered_on ?? '', answer: prayer.answer ?? '' }
  const draft = useDraft({
    form: [...ANSWER_DRAFTS, prayer.id],
    schema: answerDraftSchema,
    initial,
    restore,
    isUnsaved: ({ answer }) => answer !== initial.answer && answer.trim() !== '',
  })
  const former = useFormerAnswer(prayer)
  const [isFormerSettled, setFormerSettled] = useState(false)
  const day = today()
  const { answered_on: answeredOn } = draft.typed
  const saveAnswer = useSaveAnswer(withAnswer(prayer, draft.base), onClose)
  const form = useForm({ save: () => draft.save(saveAnswer) })
  const change = (changed: Partial<AnswerDraft>) => draft.change({ ...draft.typed, ...changed })
  const settleFormer = () => {
    setFormerSettled(true)
    answerRef.current?.focus()
  }
  return (
    <FormDialog
      title={prayer.answer === null ? 'Record answer' : 'Edit answer'}
      subtitle={shortName(prayer.person_name)}
      initialFocusRef={answerRef}
      form={form}
      submitLabel="Save"
      onClose={onClose}
      before={
        <>
          <FormDraft
            draft={draft}
            textOf={({ answer }) => answer}
            onSettled={() => answerRef.current?.focus()}
          />
          {former && !isFormerSettled && (
            <TextOffer
              title={`Answered ${dateText(former.answered_on, day)}, reopened`}
              text={former.answer}
              onUse={() => {
                change(former)
                settleFormer()
              }}
              onDiscard={settleFormer}
            />
          )}
        </>
      }
    >
      <DateField
        label="Answered on"
        // Other clients date answers in UTC, which may be a day ahead: that must not keep the text from being saved.
        last={initial.answered_on > day ? initial.answered_on : day}
        suggestions={[
          { label: 'Today', day },
          { label: 'Yesterday', day: addDays(day, -1) },
        ]}
        value={answeredOn}
        hint={
          answeredOn === '' ? 'Without a date, it is listed under “Earlier”.' : weekdayText(answeredOn, day)
        }
        onChange={(answered_on) => change({ answered_on })}
      />
      <TextArea
        ref={answerRef}
        label="How was it answered? (Optional)"
        rows={5}
        maxLength={ANSWER_MAX_LENGTH}
        value={draft.typed.answer}
        readOnly={initial.answer === UNREADABLE}
        onChange={(event) => change({ answer: event.currentTarget.value })}
      />
    </FormDialog>
  )
}

/** The latest answer that a prayer had before it was reopened, if it has no other one now. */
function useFormerAnswer({ id, answer }: Prayer): Pick<AnswerDraft, 'answered_on' | 'answer'> | null {
  const updates = useUpdatesOf(id)
  for (const { body, answered_on } of answer === null ? updates : [])
    if (answered_on !== null && body !== UNREADABLE) return { answer: body, answered_on }
  return null
}

/** Returns a function that saves what has changed, and closes the dialog. */
function useSaveAnswer(prayer: Prayer, onClose: () => void) {
  const { change } = usePrayerActions()
  const announce = useAnnounce()
  return async (typed: AnswerDraft): Promise<ActionResult> => {
    const changed = changedFields<Partial<PrayerFields>>(prayer, withAnswer(prayer, typed))
    const hasChanged = Object.keys(changed).length > 0
    const result: ActionResult = hasChanged ? await change(prayer, changed) : { success: true }
    if (result.success) {
      onClose()
      if (hasChanged) announce('Answer saved')
    }
    return result
  }
}
