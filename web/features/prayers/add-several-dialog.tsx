import { useId, useMemo, useRef } from 'react'
import { CATEGORY_NAME_MAX_LENGTH } from '#shared/limits.ts'
import type { NamedCategory } from '#web/data/categories.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import type { PrayerList } from '#web/data/prayer-lists.ts'
import { foldName, isSameName } from '#web/lib/fold.ts'
import { newId } from '#web/lib/new-id.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Choice, ChoiceInput, Choices } from '#web/ui/choices.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { FormDraft } from '#web/ui/draft-offer.tsx'
import { TextArea, TextField } from '#web/ui/fields.tsx'
import { CloseIcon, PlusIcon } from '#web/ui/icons.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { Select } from '#web/ui/select.tsx'
import { useForm } from '#web/ui/use-form.ts'
import {
  LIST_DRAFTS,
  type ListDraft,
  listDraftSchema,
  NEW_CATEGORY,
} from '#web/features/prayer-parts/drafts.ts'
import { SUGGESTIONS } from '#web/features/prayer-parts/first-steps.tsx'
import { canBeCategory, groupsIn, LIST_MAX_LENGTH, type ListLine, parseList } from './parse-list.ts'

/** A list with the name of its category. */
export interface NamedList extends PrayerList {
  categoryName: string
}

interface AddSeveralDialogProps {
  id: string
  /** The category that is selected at first; empty if none is. */
  categoryId: string
  /** The key of the draft with which the form begins. */
  restore?: string | undefined
  /** The categories that can be selected. Without any, the user chooses a new one. */
  categories: readonly NamedCategory[]
  /** Those that cannot be selected, but may be named by a heading. */
  hiddenCategories: readonly NamedCategory[]
  /** The names of the prayers that are not answered, folded (see foldName). */
  listedNames: ReadonlySet<string>
  onAdd: (lists: readonly NamedList[]) => Promise<ActionResult>
  onClose: () => void
}

/** Adds a list of prayers, one per line, and shows beforehand what it will add. It stays open until the list is saved. */
export function AddSeveralDialog(props: AddSeveralDialogProps) {
  const { id, categoryId, restore, categories, hiddenCategories, listedNames, onAdd, onClose } = props
  const categoryRef = useRef<HTMLSelectElement>(null)
  const suggestionRef = useRef<HTMLInputElement>(null)
  const nameRef = useRef<HTMLInputElement>(null)
  const textRef = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft<ListDraft>({
    form: LIST_DRAFTS,
    schema: listDraftSchema,
    initial: { id, category_id: categoryId, new_category: '', text: '', ids: {} },
    restore,
    isUnsaved: ({ text }) => text.trim() !== '',
  })
  const { typed } = draft
  const byHeading = typed.by_heading ?? false
  const leftOut = new Set(typed.left_out)
  const putBack = new Set(typed.put_back)
  const isLeftOut = (line: ListLine) =>
    leftOut.has(line.key) || (line.kind === 'prayer' && line.isUnlikely && !putBack.has(line.key))
  const keptOf = (all: readonly ListLine[]) => all.filter((line) => !isLeftOut(line))
  const lines = useMemo(() => parseList(typed.text), [typed.text])
  const kept = keptOf(lines)
  const count = countPrayers(kept)
  const hasNone = categories.length === 0
  const isNamed = typed.category_id === NEW_CATEGORY
  const change = (changed: Partial<ListDraft>) => draft.change({ ...typed, ...changed })
  /** The category that is selected, if it exists. */
  const selected = categories.find((each) => each.id === typed.category_id)
  const newCategory =
    hasNone || isNamed ? { id: typed.id, name: typed.new_category.trim() } : { id: '', name: '' }
  const categoryOf = (heading: ListLine | null, ids: Readonly<Record<string, string>>): NamedList => {
    const wanted = heading?.text ?? (selected ?? newCategory).name
    const hasName = ({ name }: NamedCategory) => isSameName(name, wanted)
    const list = (category: NamedCategory, isAdded: boolean, isHidden = false): NamedList => ({
      category: { id: category.id, newName: isAdded ? category.name : null, isHidden },
      categoryName: category.name,
      prayers: [],
    })
    // There may be several with the same name.
    if (selected && (heading === null || hasName(selected))) return list(selected, false)
    const shown = categories.find(hasName)
    if (shown) return list(shown, false)
    const hidden = hiddenCategories.find(hasName)
    if (hidden) return list(hidden, false, true)
    if (heading === null || hasName(newCategory)) return list(newCategory, true)
    return list({ id: ids[heading.key] ?? '', name: heading.text }, true)
  }
  const form = useForm<'category' | 'name' | 'text'>({
    check: (read) => {
      const keptNow = keptOf(parseList(read('text')))
      const isUsed = groupsIn(keptNow, byHeading).some(({ heading }) => heading === null)
      return {
        category: isUsed && read('category') === '' ? 'Please select a category' : null,
        name:
          isUsed && read('category') === NEW_CATEGORY && read('name').trim() === ''
            ? 'Please enter a category name'
            : null,
        text: textError(keptNow),
      }
    },
    onInvalid: (found) => {
      if (found.category) (categoryRef.current ?? suggestionRef.current)?.focus()
      else if (found.name) nameRef.current?.focus()
      else if (found.text) focusProblem(textRef.current, kept)
    },
    save: () => {
      const ids = Object.fromEntries(kept.map(({ key }) => [key, typed.ids[key] ?? newId()]))
      change({ ids })
      const lists = new Map<string, NamedList>()
      for (const { heading, prayers } of groupsIn(kept, byHeading)) {
        const empty = categoryOf(heading, ids)
        const list = lists.get(empty.category.id) ?? empty
        const added = prayers.map(({ key, person_name, note }) => ({ id: ids[key] ?? '', person_name, note }))
        lists.set(list.category.id, { ...list, prayers: [...list.prayers, ...added] })
      }
      return draft.save(() => onAdd([...lists.values()]))
    },
  })
  const leaveOut = (unwanted: readonly ListLine[]) => {
    const keys = unwanted.map(({ key }) => key)
    change({
      left_out: [...leftOut, ...keys],
      put_back: [...putBack].filter((key) => !keys.includes(key)),
    })
  }
  return (
    <FormDialog
      title="Add Several Prayers"
      subtitle="One person per line, with details after a colon or a dash"
      steady
      initialFocusRef={hasNone ? suggestionRef : textRef}
      form={form}
      submitLabel={count > 1 ? `Add ${count} Prayers` : 'Add Prayers'}
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
      after={
        <section
          aria-label="Preview"
          className={classNames('pb-2', lines.length > 0 && 'border-t border-line pt-3')}
        >
          <p role="status" className="text-sm font-medium text-ink-soft">
            {lines.length > 0 && summaryOf(kept)}
          </p>
          <Shortcuts
            hasHeadings={lines.some(canBeCategory)}
            byHeading={byHeading}
            listed={kept.filter((line) => isListed(line, listedNames))}
            onByHeading={(by_heading) => change({ by_heading })}
            onLeaveOut={leaveOut}
          />
          <ol className="mt-1 divide-y divide-line">
            {lines.slice(0, 2 * LIST_MAX_LENGTH).map((line) => (
              <PreviewLine
                key={line.key}
                line={line}
                hint={
                  isListed(line, listedNames)
                    ? 'Already on your list'
                    : byHeading && canBeCategory(line)
                      ? categoryHint(categoryOf(line, {}))
                      : null
                }
                isHeadingUsed={byHeading && canBeCategory(line)}
                isLeftOut={isLeftOut(line)}
                onLeaveOut={() => leaveOut([line])}
                onPutBack={() =>
                  change({
                    left_out: [...leftOut].filter((key) => key !== line.key),
                    put_back: [...putBack, line.key],
                  })
                }
              />
            ))}
          </ol>
        </section>
      }
    >
      {hasNone ? (
        <FirstCategory
          firstRef={suggestionRef}
          chosen={isNamed ? NEW_CATEGORY : typed.new_category}
          error={form.errors.category}
          onChoose={(chosen) =>
            change(
              chosen === NEW_CATEGORY
                ? { category_id: chosen, new_category: '' }
                : { category_id: '', new_category: chosen },
            )
          }
        />
      ) : (
        <Select
          ref={categoryRef}
          label="Category"
          name="category"
          placeholder="Select a category"
          options={[
            ...categories.map(({ id: value, name: label }) => ({ value, label })),
            { value: NEW_CATEGORY, label: NEW_CATEGORY_LABEL },
          ]}
          value={isNamed ? NEW_CATEGORY : (selected?.id ?? '')}
          error={form.errors.category}
          required
          onChange={(event) => change({ category_id: event.currentTarget.value })}
        />
      )}
      {isNamed && (
        <TextField
          ref={nameRef}
          label="Category Name"
          name="name"
          placeholder="Enter category name"
          autoComplete="off"
          maxLength={CATEGORY_NAME_MAX_LENGTH}
          value={typed.new_category}
          error={form.errors.name}
          required
          onChange={(event) => change({ new_category: event.currentTarget.value })}
        />
      )}
      <TextArea
        ref={textRef}
        label="Prayers"
        name="text"
        rows={5}
        // What a long list will add stays in view below it.
        className="max-h-[25dvh]!"
        placeholder={'Anna\nBen: a new job\nClara and David – their wedding'}
        autoComplete="off"
        value={typed.text}
        error={form.errors.text}
        required
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
    </FormDialog>
  )
}

const NEW_CATEGORY_LABEL = 'New category…'

interface FirstCategoryProps {
  firstRef: { current: HTMLInputElement | null }
  /** The name that is chosen, or that another one is entered. */
  chosen: string
  error: string | null | undefined
  onChoose: (chosen: string) => void
}

/** The choice of the first category, which is added together with the prayers. */
function FirstCategory({ firstRef, chosen, error, onChoose }: FirstCategoryProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={error ? id : undefined} className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">Category</legend>
      <div className="flex flex-wrap gap-2">
        {[...SUGGESTIONS, NEW_CATEGORY].map((suggestion, index) => (
          <ChoiceInput
            key={suggestion}
            ref={index === 0 ? firstRef : undefined}
            type="radio"
            name="category"
            value={suggestion}
            required
            checked={suggestion === chosen}
            onChange={() => onChoose(suggestion)}
          >
            {suggestion === NEW_CATEGORY ? 'Another…' : suggestion}
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

interface ShortcutsProps {
  hasHeadings: boolean
  byHeading: boolean
  /** The lines to be added whose names are on the user's list already. */
  listed: readonly ListLine[]
  onByHeading: (byHeading: boolean) => void
  onLeaveOut: (lines: readonly ListLine[]) => void
}

/** What can be chosen for many lines at once. */
function Shortcuts({ hasHeadings, byHeading, listed, onByHeading, onLeaveOut }: ShortcutsProps) {
  return (
    <>
      {hasHeadings && (
        <div className="mt-1 flex flex-wrap items-center gap-x-3">
          <span className="text-sm text-ink-soft">Headings</span>
          <Choices label="Headings">
            <Choice chosen={!byHeading} onClick={() => onByHeading(false)}>
              Leave out
            </Choice>
            <Choice chosen={byHeading} onClick={() => onByHeading(true)}>
              Use as categories
            </Choice>
          </Choices>
        </div>
      )}
      {listed.length > 0 && (
        <button type="button" className={`${TEXT_LINK} min-h-11 text-sm`} onClick={() => onLeaveOut(listed)}>
          Leave out the {listed.length} already on your list
        </button>
      )}
    </>
  )
}

interface PreviewLineProps {
  line: ListLine
  hint: string | null
  /** Whether it is the heading of a category. */
  isHeadingUsed: boolean
  isLeftOut: boolean
  onLeaveOut: () => void
  onPutBack: () => void
}

/** What a line will add, or why it cannot be added. */
function PreviewLine({ line, hint, isHeadingUsed, isLeftOut, onLeaveOut, onPutBack }: PreviewLineProps) {
  const isUnused = isLeftOut || (line.kind === 'heading' && !isHeadingUsed)
  const text = line.kind === 'prayer' ? line.prayer.person_name : line.text
  const note = line.kind === 'prayer' && line.prayer.note
  return (
    <li className="flex items-start gap-2 py-1">
      <div className="min-w-0 flex-1 py-1.5">
        <p
          dir="auto"
          className={classNames(
            'line-clamp-2 leading-snug wrap-anywhere',
            line.kind === 'prayer' && 'font-serif',
            isHeadingUsed && 'text-sm font-semibold',
            isUnused && 'text-ink-faint',
          )}
        >
          {text}
        </p>
        {note && !isUnused && (
          <p dir="auto" className="line-clamp-2 text-sm whitespace-pre-line text-ink-soft wrap-anywhere">
            {note}
          </p>
        )}
        {isUnused ? (
          <p className="text-sm text-ink-faint">{isLeftOut ? 'Left out' : 'Heading, left out'}</p>
        ) : (
          <>
            {line.kind === 'problem' && <p className="text-sm text-danger">{line.problem}</p>}
            {hint !== null && <p className="text-sm text-info">{hint}</p>}
          </>
        )}
      </div>
      {(line.kind !== 'heading' || isHeadingUsed) && (
        <IconButton
          label={isLeftOut ? 'Put back' : 'Leave out'}
          detail={text}
          // In line with the first line of the text.
          className="-mt-1.25 -mr-2.5"
          onClick={isLeftOut ? onPutBack : onLeaveOut}
        >
          {isLeftOut ? <PlusIcon /> : <CloseIcon />}
        </IconButton>
      )}
    </li>
  )
}

function categoryHint({ category }: NamedList): string {
  if (category.newName !== null) return 'New category'
  return category.isHidden ? 'Your category, which is hidden and will be shown again' : 'Your category'
}

function isListed(line: ListLine, listedNames: ReadonlySet<string>): boolean {
  return line.kind === 'prayer' && listedNames.has(foldName(line.prayer.person_name))
}

function countPrayers(lines: readonly ListLine[]): number {
  return lines.filter(({ kind }) => kind === 'prayer').length
}

/** What will be added. */
function summaryOf(lines: readonly ListLine[]): string {
  const count = countPrayers(lines)
  const problems = lines.filter(({ kind }) => kind === 'problem').length
  return [
    count > LIST_MAX_LENGTH ? tooMany(count) : `${count} ${count === 1 ? 'prayer' : 'prayers'} will be added`,
    problems === 1 && '1 line cannot be added',
    problems > 1 && `${problems} lines cannot be added`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Why a list cannot be added; null if it can. */
function textError(lines: readonly ListLine[]): string | null {
  const prayers = countPrayers(lines)
  if (prayers > LIST_MAX_LENGTH) return tooMany(prayers)
  const problem = lines.find((line) => line.kind === 'problem')
  if (problem) return `Please correct line ${problem.number}. ${problem.problem}`
  return prayers === 0 ? 'Please enter at least one name' : null
}

function tooMany(count: number): string {
  return `This list has ${count.toLocaleString('en')} prayers. At most ${LIST_MAX_LENGTH} can be added at once.`
}

/** Focuses the list, and selects the first line that has to be corrected. */
function focusProblem(textArea: HTMLTextAreaElement | null, lines: readonly ListLine[]): void {
  const prayers = lines.filter(({ kind }) => kind === 'prayer')
  const line = lines.find(({ kind }) => kind === 'problem') ?? prayers[LIST_MAX_LENGTH]
  // In this order, browsers scroll to the selection.
  if (line) textArea?.setSelectionRange(line.start, line.end)
  textArea?.focus()
}
