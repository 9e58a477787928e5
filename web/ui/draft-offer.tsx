import { Button, IconButton } from './button.tsx'
import { CloseIcon } from './icons.tsx'

interface DraftOfferProps {
  /** What the text belongs to, if that is not clear from where the offer is. */
  about?: string
  /** The beginning of the unsaved text. */
  text: string
  onRestore: () => void
  onDiscard: () => void
}

/** Offers to restore text that was typed earlier but not saved. */
export function DraftOffer({ about, text, onRestore, onDiscard }: DraftOfferProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-1 rounded-md bg-sunken py-1 pr-1 pl-3.5 text-sm text-ink-soft">
      {/* Where the text has no room beside the buttons, it is above them. */}
      <p className="line-clamp-3 min-w-0 flex-1 basis-64 py-2 max-sm:basis-auto pr-2.5 wrap-anywhere">
        {about ? `${about}: you` : 'You'} had typed “<bdi>{text}</bdi>”
      </p>
      <div className="ml-auto flex shrink-0">
        <Button variant="ghost" className="text-sm" onClick={onRestore}>
          Bring it back
        </Button>
        <IconButton label="Discard" onClick={onDiscard}>
          <CloseIcon />
        </IconButton>
      </div>
    </div>
  )
}

interface FormDraftProps<T> {
  /** What `useDraft` returns. */
  draft: { offered: T | null; restore: () => void; discard: () => void }
  textOf: (offered: T) => string
  /** Called when it was restored or discarded. */
  onSettled: () => void
}

/** Offers the draft of a form in that form, if there is one. */
export function FormDraft<T>({ draft: { offered, restore, discard }, textOf, onSettled }: FormDraftProps<T>) {
  if (offered === null) return null
  const settle = (change: () => void) => () => {
    change()
    onSettled()
  }
  return <DraftOffer text={textOf(offered)} onRestore={settle(restore)} onDiscard={settle(discard)} />
}
