import { useRef, useState } from 'react'
import { NOTE_MAX_LENGTH, PERSON_NAME_MAX_LENGTH } from '#shared/limits.ts'
import type { NamedCategory } from '#web/data/categories.ts'
import { UNREADABLE } from '#web/data/encryption-status.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { newId } from '#web/lib/new-id.ts'
import { shortName } from '#web/lib/short-name.ts'
import type { DraftName } from '#web/lib/storage/drafts.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/choices.tsx'
import { ignoreSecondClick } from '#web/ui/dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { FormDraft } from '#web/ui/draft-offer.tsx'
import { TextArea, TextField } from '#web/ui/fields.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { Select } from '#web/ui/select.tsx'
import { useForm } from '#web/ui/use-form.ts'
import {
  CHANGED_PRAYER_DRAFTS,
  emptyForm,
  formErrors,
  hasUnsavedText,
  NEW_PRAYER_DRAFTS,
  type PrayerDraft,
  prayerDraftSchema,
  type PrayerForm,
} from './prayer-form.ts'
import { SharedTextOffers } from './shared-text-offers.tsx'
import { WhenToPray } from './when-to-pray.tsx'
import './prayer-dialog.css'

const TEXTS = {
  add: { title: 'Add New Prayer', subtitle: 'Create a new prayer request', submit: 'Add Prayer' },
  edit: { title: 'Edit Prayer', subtitle: 'Update your prayer request details', submit: 'Update Prayer' },
}

interface PrayerDialogProps {
  mode: 'add' | 'edit'
  id: string
  initial: PrayerForm
  /** The categories that can be selected. */
  categories: readonly NamedCategory[]
  /** Identifies the drafts of unsaved text. */
  draftName?: DraftName
  /** The key of the draft with which the form begins. */
  restore?: string | undefined
  /**
   * Saves under the given id, which differs from `id` if a draft was restored.
   *
   * @param base what the form had begun with when what is saved was typed
   */
  onSave: (id: string, form: PrayerForm, base: PrayerForm) => Promise<ActionResult>
  /** The same, before another prayer is added with this form. Without it, only one can be added. */
  onSaveAnother?: (id: string, form: PrayerForm) => Promise<ActionResult>
  /** Opens the dialog for a list of prayers instead, with the category that is selected. */
  onAddSeveral?: (categoryId: string) => void
  /** Texts that were shared with the app, which are offered as the note. */
  sharedTexts?: readonly string[] | undefined
  /** Called when a shared text was used or discarded. */
  onSharedTextSettled?: (text: string) => void
  onClose: () => void
}

const NO_TEXTS: readonly string[] = []

/** Adds or edits a prayer. It stays open, with everything typed, until the prayer is saved. */
export function PrayerDialog(props: PrayerDialogProps) {
  const { mode, id, initial, categories, sharedTexts = NO_TEXTS, onSaveAnother, onAddSeveral } = props
  const nameRef = useRef<HTMLInputElement>(null)
  const useSharedRef = useRef<HTMLButtonElement>(null)
  const texts = TEXTS[mode]
  const draft = useDraft<PrayerDraft>({
    form: props.draftName ?? draftNameOf(mode, id, initial.category_id),
    schema: prayerDraftSchema,
    initial: { id, form: initial },
    restore: props.restore,
    isUnsaved: (typed) => hasUnsavedText({ ...initial, ...typed.form }, initial),
    ofSaved: mode === 'add' ? (typed) => ({ form: [...CHANGED_PRAYER_DRAFTS, typed.id], typed }) : undefined,
    keepsId: props.draftName !== undefined,
  })
  const { typed } = draft
  /** Shared texts that were added to the note. */
  const [added, setAdded] = useState<readonly string[]>([])
  /** Says what was saved before this prayer. */
  const [savedText, setSavedText] = useState<string | null>(null)
  // What a draft lacks is as in the form that was opened.
  const base: PrayerForm = { ...initial, ...draft.base.form }
  const values: PrayerForm = { ...base, ...typed.form }
  // It may have been hidden or deleted in the meantime.
  const category = categories.find((each) => each.id === values.category_id)
  values.category_id = category?.id ?? ''

  const form = useForm({
    check: (read) => formErrors({ category_id: read('category'), person_name: read('name') }),
    save: () => draft.save((saved) => props.onSave(saved.id, values, base)),
  })
  const change = (changed: Partial<PrayerForm>) =>
    draft.change({ ...typed, form: { ...typed.form, ...changed } })
  const addAnother = (saveAnother: NonNullable<PrayerDialogProps['onSaveAnother']>) => {
    // The form may be empty by the second click.
    ignoreSecondClick()
    nameRef.current?.focus()
    form.submit(async () => {
      const next = { id: newId(), form: emptyForm(values.category_id) }
      const result = await draft.save((saved) => saveAnother(saved.id, values), next)
      if (!result.success) return result
      setAdded([])
      setSavedText(`${shortName(values.person_name.trim())} was added to ${shortName(category?.name ?? '')}.`)
      return result
    })
  }
  const restoreDraft = () => draft.restore((drafted) => added.reduce(withNote, drafted))
  const settle = (text: string) =>
    keepFocus(
      () => props.onSharedTextSettled?.(text),
      () => useSharedRef.current ?? nameRef.current,
    )
  return (
    <FormDialog
      title={texts.title}
      subtitle={texts.subtitle}
      status={onSaveAnother && savedText}
      titleAction={
        onAddSeveral && (
          <button
            type="button"
            className={`${TEXT_LINK} touch-area border border-transparent`}
            onClick={() => onAddSeveral(values.category_id)}
          >
            Add several
          </button>
        )
      }
      steady
      // In Name, the keyboard of a phone would cover what was shared.
      initialFocusRef={sharedTexts.length > 0 ? useSharedRef : nameRef}
      form={form}
      submitLabel={texts.submit}
      onClose={props.onClose}
      before={
        <>
          <SharedTextOffers
            texts={sharedTexts}
            firstRef={useSharedRef}
            onUse={(text) => {
              draft.change(withNote(typed, text))
              setAdded([...added, text])
              settle(text)
            }}
            onDiscard={settle}
          />
          <FormDraft
            draft={{ ...draft, restore: restoreDraft }}
            textOf={({ form: offered }) => offered.person_name || offered.note}
            onSettled={() => {
              form.show({})
              nameRef.current?.focus()
            }}
          />
        </>
      }
      after={
        onSaveAnother && (
          <Button
            variant="ghost"
            className="-mx-4 -mt-2 self-start"
            loading={form.busy}
            onClick={() => addAnother(onSaveAnother)}
          >
            Save and add another
          </Button>
        )
      }
    >
      <Select
        label="Category"
        name="category"
        placeholder="Select a category"
        options={categories.map(({ id: value, name: label }) => ({ value, label }))}
        value={values.category_id}
        error={form.errors.category_id}
        required
        onChange={(event) => change({ category_id: event.currentTarget.value })}
      />
      <TextField
        ref={nameRef}
        label="Name"
        name="name"
        placeholder="Enter person's name"
        autoComplete="off"
        maxLength={PERSON_NAME_MAX_LENGTH}
        value={values.person_name}
        error={form.errors.person_name}
        required
        readOnly={initial.person_name === UNREADABLE}
        onChange={(event) => change({ person_name: event.currentTarget.value })}
      />
      <TextArea
        label="Prayer Details (Optional)"
        rows={4}
        maxLength={NOTE_MAX_LENGTH}
        value={values.note}
        readOnly={initial.note === UNREADABLE}
        onChange={(event) => change({ note: event.currentTarget.value })}
      />
      {mode === 'edit' && (
        <Checkbox
          label="Mark as resolved"
          checked={values.resolved}
          onChange={(event) => change({ resolved: event.currentTarget.checked })}
        />
      )}
      {/* Closed again for the next prayer. */}
      <WhenToPray key={typed.id} schedule={values} onChange={change} />
    </FormDialog>
  )
}

/** A new prayer has a draft for the category in which it was begun, another one a draft for itself. */
function draftNameOf(mode: 'add' | 'edit', id: string, categoryId: string): DraftName {
  return mode === 'add' ? [...NEW_PRAYER_DRAFTS, categoryId] : [...CHANGED_PRAYER_DRAFTS, id]
}

/** What is typed with a text added to the note, unless the note has it already. */
function withNote({ id, form }: PrayerDraft, text: string): PrayerDraft {
  if (form.note.includes(text)) return { id, form }
  return { id, form: { ...form, note: form.note === '' ? text : `${form.note}\n\n${text}` } }
}
