import { useLayoutEffect, useRef } from 'react'
import { ANSWER_MAX_LENGTH } from '#shared/limits.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { usePrayerActions } from '#web/data/prayer-actions.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { ANSWER_DRAFTS, answerDraftSchema, withAnswer } from '#web/features/prayer-parts/drafts.ts'
import { NameHeading } from '#web/features/prayer-parts/name-heading.tsx'
import { today } from '#web/lib/days/days.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/fields.tsx'
import { LightIcon } from '#web/ui/line-icon.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { useFocusedHeading } from './session-pages.tsx'

interface AnswerPageProps {
  /** As it was when it was answered in this session. */
  prayer: Prayer
  /** Called when the answer is written down, or left for later. */
  onDone: () => void
  /** Called when the prayer is open again. */
  onUndone: () => void
}

/** In a session, after a prayer was answered: it stays with that person. What is typed is kept until it is written down. */
export function AnswerPage({ prayer, onDone, onUndone }: AnswerPageProps) {
  const { change } = usePrayerActions()
  const heading = useFocusedHeading()
  const field = useRef<HTMLTextAreaElement>(null)
  const initial = {
    id: prayer.id,
    answered_on: prayer.answered_on ?? today(),
    answer: prayer.answer ?? '',
  }
  const draft = useDraft({
    form: [...ANSWER_DRAFTS, prayer.id],
    schema: answerDraftSchema,
    initial,
    restore: true,
    isUnsaved: ({ answer }) => answer !== initial.answer && answer.trim() !== '',
  })
  useLayoutEffect(() => {
    // On a phone, the keyboard would cover half of the page.
    if (matchMedia('(hover: hover) and (pointer: fine)').matches) field.current?.focus()
  }, [])

  const finish = async (saving: Promise<ActionResult>, onSuccess: () => void) => {
    const result = await saving
    if (!result.success) return { errors: { answer: result.error } }
    return onSuccess()
  }
  const form = useForm<'answer'>({
    save: async () => {
      const { answer } = draft.typed
      if (answer.trim() === '') return field.current?.focus()
      if (answer === initial.answer) return onDone()
      return finish(
        draft.save(() => change(withAnswer(prayer, draft.base), { answer })),
        onDone,
      )
    },
  })
  return (
    <form className="pray-answer" {...form.props}>
      <article className="pray-prayer">
        <LightIcon className="size-11 fill-gold-bright text-gold-bright" />
        <NameHeading ref={heading} name={prayer.person_name} />
        <p className="pray-thanks">Thanks be to God.</p>
        <TextArea
          ref={field}
          label="How was it answered?"
          rows={4}
          maxLength={ANSWER_MAX_LENGTH}
          value={draft.typed.answer}
          error={form.errors.answer}
          onChange={(event) => draft.change({ ...draft.typed, answer: event.currentTarget.value })}
        />
      </article>
      <div className="pray-actions">
        <Button
          variant="ghost"
          className="max-sm:px-2.5"
          onClick={() => form.run(() => finish(change(prayer, { resolved: false }), onUndone))}
        >
          Undo
        </Button>
        <Button type="submit" variant="primary" loading={form.busy}>
          Write it down
        </Button>
        <Button variant="ghost" className="max-sm:px-2.5" onClick={onDone}>
          Later
        </Button>
      </div>
    </form>
  )
}
