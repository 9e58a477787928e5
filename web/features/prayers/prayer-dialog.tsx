import { type KeyboardEvent, type RefObject, type SubmitEvent, useId, useRef } from 'react'
import { NOTE_MAX_LENGTH, PERSON_NAME_MAX_LENGTH } from '#shared/limits.ts'
import { DraftOffer } from '#web/ui/draft-offer.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, ignoreSecondClick } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/choices.tsx'
import { invalidDate } from '#web/ui/date-field.tsx'
import { TextArea, TextField } from '#web/ui/fields.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import { Select } from '#web/ui/select.tsx'
import { SharedTextOffers } from './shared-text-offers.tsx'
import { type PrayerFormOptions, usePrayerForm } from './use-prayer-form.ts'
import { WhenToPray } from './when-to-pray.tsx'
import './prayer-dialog.css'

const TEXTS = {
  add: { title: 'Add New Prayer', subtitle: 'Create a new prayer request', submit: 'Add Prayer' },
  edit: { title: 'Edit Prayer', subtitle: 'Update your prayer request details', submit: 'Update Prayer' },
}

interface PrayerDialogProps extends PrayerFormOptions {
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
export function PrayerDialog({
  sharedTexts = NO_TEXTS,
  onSharedTextSettled,
  onAddSeveral,
  onClose,
  ...options
}: PrayerDialogProps) {
  const formId = useId()
  const formRef = useRef<HTMLFormElement>(null)
  const categoryRef = useRef<HTMLSelectElement>(null)
  const nameRef = useRef<HTMLInputElement>(null)
  const useSharedRef = useRef<HTMLButtonElement>(null)
  const prayer = usePrayerForm(options)
  const texts = TEXTS[options.mode]
  const canAddAnother = options.onSaveAnother !== undefined
  const settle = (text: string) =>
    keepFocus(
      () => onSharedTextSettled?.(text),
      () => useSharedRef.current ?? nameRef.current,
    )
  const submit = (another: boolean) => {
    const date = formRef.current && invalidDate(formRef.current)
    if (date) return date.focus()
    // The form may be empty by then.
    if (another) ignoreSecondClick()
    const invalid = prayer.submit(another)
    if (invalid.category_id) categoryRef.current?.focus()
    else if (invalid.person_name || another) nameRef.current?.focus()
  }
  return (
    <Dialog
      title={texts.title}
      subtitle={texts.subtitle}
      status={canAddAnother ? prayer.savedText : undefined}
      // In Name, the keyboard of a phone would cover what was shared.
      initialFocusRef={sharedTexts.length > 0 ? useSharedRef : nameRef}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" loading={prayer.saving}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <SharedTextOffers
        texts={sharedTexts}
        firstRef={useSharedRef}
        onUse={(text) => {
          prayer.addToNote(text)
          settle(text)
        }}
        onDiscard={settle}
      />
      {prayer.offered && (
        <DraftOffer
          text={prayer.offered.form.person_name || prayer.offered.form.note}
          onRestore={() => {
            prayer.restoreDraft()
            nameRef.current?.focus()
          }}
          onDiscard={() => {
            prayer.discardDraft()
            nameRef.current?.focus()
          }}
        />
      )}
      <PrayerFields
        id={formId}
        formRef={formRef}
        categoryRef={categoryRef}
        nameRef={nameRef}
        prayer={prayer}
        categories={options.categories}
        withResolved={options.mode === 'edit'}
        onSubmit={() => submit(false)}
      />
      {onAddSeveral && (
        <button
          type="button"
          className="-mt-2 flex min-h-11 items-center gap-3 border-t border-line py-2 text-start"
          onClick={() => onAddSeveral(prayer.form.category_id)}
        >
          <span className="flex-1 font-serif text-lg leading-snug font-semibold">Add several</span>
          <ChevronDownIcon className="-rotate-90 text-ink-faint rtl:rotate-90" />
        </button>
      )}
      {canAddAnother && (
        <Button
          variant="ghost"
          className="-mx-4 -mt-2 self-start"
          loading={prayer.saving}
          onClick={() => submit(true)}
        >
          Save and add another
        </Button>
      )}
      {prayer.saveError !== null && (
        <p role="alert" className="text-sm text-danger">
          {prayer.saveError}
        </p>
      )}
    </Dialog>
  )
}

interface PrayerFieldsProps extends Pick<PrayerFormOptions, 'categories'> {
  id: string
  formRef: RefObject<HTMLFormElement | null>
  categoryRef: RefObject<HTMLSelectElement | null>
  nameRef: RefObject<HTMLInputElement | null>
  prayer: ReturnType<typeof usePrayerForm>
  withResolved: boolean
  onSubmit: () => void
}

/** The fields of a prayer. Enter in Name saves, and so does Ctrl or Cmd with Enter in the note. */
function PrayerFields(props: PrayerFieldsProps) {
  const { id, formRef, categoryRef, nameRef, prayer, categories, withResolved, onSubmit } = props
  const { form, errors, change } = prayer
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form ref={formRef} id={id} noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Select
        ref={categoryRef}
        label="Category"
        placeholder="Select a category"
        options={categories.map((category) => ({ value: category.id, label: category.name }))}
        value={form.category_id}
        error={errors.category_id}
        required
        onChange={(event) => change({ category_id: event.currentTarget.value })}
      />
      <TextField
        ref={nameRef}
        label="Name"
        placeholder="Enter person's name"
        autoComplete="off"
        maxLength={PERSON_NAME_MAX_LENGTH}
        value={form.person_name}
        error={errors.person_name}
        required
        onChange={(event) => change({ person_name: event.currentTarget.value })}
      />
      <TextArea
        label="Prayer Details (Optional)"
        rows={4}
        maxLength={NOTE_MAX_LENGTH}
        value={form.note}
        onChange={(event) => change({ note: event.currentTarget.value })}
        onKeyDown={submitOnCtrlEnter}
      />
      {withResolved && (
        <Checkbox
          label="Mark as resolved"
          checked={form.resolved}
          onChange={(event) => change({ resolved: event.currentTarget.checked })}
        />
      )}
      <WhenToPray schedule={form} onChange={change} />
    </form>
  )
}

/** Saves on Ctrl or Cmd with Enter in a text area, where Enter starts a new line. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
