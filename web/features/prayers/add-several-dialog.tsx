import { useId, useMemo, useRef } from 'react'
import { type InferOutput, object, record, string } from 'valibot'
import type { ActionResult } from '#web/data/make-change.ts'
import type { PrayerList } from '#web/data/prayer-lists.ts'
import { newId } from '#web/lib/new-id.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { ChoiceInput } from '#web/ui/choices.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { FormDraft } from '#web/ui/draft-offer.tsx'
import { TextArea } from '#web/ui/fields.tsx'
import { Select } from '#web/ui/select.tsx'
import { useForm } from '#web/ui/use-form.ts'
import type { CardCategory } from './category-card.tsx'
import { SUGGESTIONS } from './first-steps.tsx'
import { LIST_MAX_LENGTH, type ListedPrayer, type ListLine, parseList, prayersIn } from './parse-list.ts'

/** The name of the drafts of lists. */
export const LIST_DRAFTS = ['several-prayers']

export const listDraftSchema = object({
  /** Also the id of a new category. */
  id: string(),
  category_id: string(),
  /** The name of a new category, for a user who has none; otherwise empty. */
  new_category: string(),
  text: string(),
  /** The ids under which prayers were sent to be saved, by what identifies them in the list: saving again must not add them twice. */
  ids: record(string(), string()),
})
type ListDraft = InferOutput<typeof listDraftSchema>

/** A list with the name of its category. */
export interface NamedList extends PrayerList {
  categoryName: string
}

interface AddSeveralDialogProps {
  id: string
  /** The category that is selected at first; empty if none is. */
  categoryId: string
  /** Whether the form begins with its draft. */
  restore?: boolean | undefined
  /** The categories that can be selected. Without any, the user chooses a new one. */
  categories: readonly CardCategory[]
  onAdd: (list: NamedList) => Promise<ActionResult>
  onClose: () => void
}

/** Adds a list of prayers, one per line, and shows beforehand what it will add. It stays open until the list is saved. */
export function AddSeveralDialog(props: AddSeveralDialogProps) {
  const { id, categoryId, restore, categories, onAdd, onClose } = props
  const categoryRef = useRef<HTMLSelectElement>(null)
  const suggestionRef = useRef<HTMLInputElement>(null)
  const textRef = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft<ListDraft>({
    form: LIST_DRAFTS,
    schema: listDraftSchema,
    initial: { id, category_id: categoryId, new_category: '', text: '', ids: {} },
    restore,
    isUnsaved: ({ text }) => text.trim() !== '',
  })
  const { typed } = draft
  const lines = useMemo(() => parseList(typed.text), [typed.text])
  const prayers = prayersIn(lines)
  const isNew = categories.length === 0
  const category = categories.find((each) => each.id === typed.category_id)
  const categoryName = isNew ? typed.new_category : (category?.name ?? '')
  const change = (changed: Partial<ListDraft>) => draft.change({ ...typed, ...changed })
  const form = useForm<'category' | 'text'>({
    check: (read) => ({
      category: read('category') === '' ? 'Please select a category' : null,
      text: textError(parseList(read('text'))),
    }),
    onInvalid: (found) => {
      if (found.category) (categoryRef.current ?? suggestionRef.current)?.focus()
      else if (found.text) focusProblem(textRef.current, lines)
    },
    save: () => {
      const ids = idsOf(prayers, typed.ids)
      change({ ids })
      const identified = Object.values(ids).flatMap((prayerId, index) => {
        const prayer = prayers[index]
        return prayer ? [{ id: prayerId, ...prayer }] : []
      })
      const target = isNew
        ? { id: typed.id, newName: categoryName }
        : { id: typed.category_id, newName: null }
      return draft.save(() => onAdd({ category: target, categoryName, prayers: identified }))
    },
  })
  return (
    <FormDialog
      title="Add Several Prayers"
      subtitle="One person per line, with details after a colon"
      initialFocusRef={isNew ? suggestionRef : textRef}
      form={form}
      submitLabel={prayers.length > 1 ? `Add ${prayers.length} Prayers` : 'Add Prayers'}
      onClose={onClose}
      before={
        <FormDraft
          draft={draft}
          textOf={({ text }) => text.trim()}
          onSettled={() => {
            form.show({})
            textRef.current?.focus()
          }}
        />
      }
      after={<Preview lines={lines} count={prayers.length} />}
    >
      {isNew ? (
        <NewCategory
          firstRef={suggestionRef}
          name={typed.new_category}
          error={form.errors.category}
          onChange={(new_category) => change({ new_category })}
        />
      ) : (
        <Select
          ref={categoryRef}
          label="Category"
          name="category"
          placeholder="Select a category"
          options={categories.map(({ id: value, name: label }) => ({ value, label }))}
          value={categoryName === '' ? '' : typed.category_id}
          error={form.errors.category}
          required
          onChange={(event) => change({ category_id: event.currentTarget.value })}
        />
      )}
      <TextArea
        ref={textRef}
        label="Prayers"
        name="text"
        rows={6}
        placeholder={'Anna\nBen: a new job\nClara and David: their wedding'}
        autoComplete="off"
        value={typed.text}
        error={form.errors.text}
        required
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
    </FormDialog>
  )
}

interface NewCategoryProps {
  firstRef: { current: HTMLInputElement | null }
  name: string
  error: string | null | undefined
  onChange: (name: string) => void
}

/** The choice of the first category, which is added together with the prayers. */
function NewCategory({ firstRef, name, error, onChange }: NewCategoryProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={error ? id : undefined} className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">Category</legend>
      <div className="flex flex-wrap gap-2">
        {SUGGESTIONS.map((suggestion, index) => (
          <ChoiceInput
            key={suggestion}
            ref={index === 0 ? firstRef : undefined}
            type="radio"
            name="category"
            value={suggestion}
            required
            checked={suggestion === name}
            onChange={() => onChange(suggestion)}
          >
            {suggestion}
          </ChoiceInput>
        ))}
      </div>
      {error && (
        <p id={id} role="alert" className="mt-1.5 text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** What each line will add, or why it cannot be added. */
function Preview({ lines, count }: { lines: readonly ListLine[]; count: number }) {
  const problems = lines.filter(({ problem }) => problem !== null).length
  const texts = [
    count > LIST_MAX_LENGTH ? tooMany(count) : `${count} ${count === 1 ? 'prayer' : 'prayers'} will be added`,
    problems === 1 && '1 line cannot be added',
    problems > 1 && `${problems} lines cannot be added`,
  ]
  return (
    <section
      aria-label="Preview"
      className={classNames('pb-2', lines.length > 0 && 'border-t border-line pt-3')}
    >
      <p role="status" className="text-sm font-medium text-ink-soft">
        {lines.length > 0 && texts.filter(Boolean).join(' · ')}
      </p>
      <ol className="mt-1 divide-y divide-line">
        {previewed(lines).map((line) => (
          <li key={line.start} className="py-2">
            <PreviewLine line={line} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Several empty lines are shown as one, and as many lines as the longest list can then have. */
function previewed(lines: readonly ListLine[]): readonly ListLine[] {
  return lines
    .filter(({ text }, index) => text !== '' || lines[index - 1]?.text !== '')
    .slice(0, 2 * LIST_MAX_LENGTH)
}

function PreviewLine({ line: { prayer, text, problem } }: { line: ListLine }) {
  if (prayer)
    return (
      <>
        <p dir="auto" className="line-clamp-2 font-serif leading-snug wrap-anywhere">
          {prayer.person_name}
        </p>
        {prayer.note !== null && (
          <p dir="auto" className="line-clamp-2 text-sm text-ink-soft wrap-anywhere">
            {prayer.note}
          </p>
        )}
      </>
    )
  if (problem === null) return <p className="text-xs text-ink-faint">Empty line</p>
  return (
    <>
      <p dir="auto" className="line-clamp-2 text-ink-soft wrap-anywhere">
        {text}
      </p>
      <p className="text-sm text-danger">{problem}</p>
    </>
  )
}

/** Why a list cannot be added; null if it can. */
function textError(lines: readonly ListLine[]): string | null {
  const prayers = prayersIn(lines).length
  if (prayers > LIST_MAX_LENGTH) return tooMany(prayers)
  const number = lines.findIndex(({ problem }) => problem !== null)
  if (number >= 0) return `Please correct line ${number + 1}. ${lines[number]?.problem ?? ''}`
  return prayers === 0 ? 'Please enter at least one name' : null
}

function tooMany(count: number): string {
  return `This list has ${count.toLocaleString('en')} prayers. At most ${LIST_MAX_LENGTH} can be added at once.`
}

/** Focuses the list, and selects the first line that has to be corrected. */
function focusProblem(textArea: HTMLTextAreaElement | null, lines: readonly ListLine[]): void {
  const line = lines.find(({ problem }) => problem !== null) ?? lines[LIST_MAX_LENGTH]
  // In this order, browsers scroll to the selection.
  if (line) textArea?.setSelectionRange(line.start, line.end)
  textArea?.focus()
}

/** The id of each prayer of a list, in order. Equal prayers are told apart by a number. */
function idsOf(
  prayers: readonly ListedPrayer[],
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const ids: Record<string, string> = {}
  for (const { person_name, note } of prayers) {
    const keyOf = (number: number) => JSON.stringify([person_name, note, number])
    let number = 1
    while (keyOf(number) in ids) number += 1
    const key = keyOf(number)
    ids[key] = known[key] ?? newId()
  }
  return ids
}
