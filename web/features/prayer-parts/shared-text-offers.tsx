import { type RefObject, useId } from 'react'
import { Button } from '#web/ui/button.tsx'

/** Three lines have at most this many characters; what is shared can be of any length. */
const PREVIEW_LENGTH = 500

interface SharedTextOffersProps {
  texts: readonly string[]
  /** The button that uses the first text. */
  firstRef: RefObject<HTMLButtonElement | null>
  onUse: (text: string) => void
  onDiscard: (text: string) => void
}

/** Offers texts that were shared with the app: any website can do so, so the user decides what becomes of them. */
export function SharedTextOffers({ texts, firstRef, onUse, onDiscard }: SharedTextOffersProps) {
  return texts.map((text, index) => (
    <TextOffer
      key={text}
      title="Shared with you"
      text={text}
      buttonRef={index === 0 ? firstRef : undefined}
      onUse={() => onUse(text)}
      onDiscard={() => onDiscard(text)}
    />
  ))
}

interface TextOfferProps {
  title: string
  text: string
  buttonRef?: RefObject<HTMLButtonElement | null> | undefined
  onUse: () => void
  onDiscard: () => void
}

/** Offers a text for a form. */
export function TextOffer({ title, text, buttonRef, onUse, onDiscard }: TextOfferProps) {
  const id = useId()
  return (
    <div
      role="group"
      aria-labelledby={`${id}-title`}
      className="rounded-md border border-line bg-sunken px-3.5 pt-2.5 pb-1.5 text-sm"
    >
      <p id={`${id}-title`} className="text-xs text-ink-soft">
        {title}
      </p>
      <p id={`${id}-text`} dir="auto" className="line-clamp-3 wrap-anywhere whitespace-pre-line">
        {text.slice(0, PREVIEW_LENGTH)}
      </p>
      <div className="mt-1.5 -mr-2 flex flex-wrap justify-end gap-x-1">
        <Button
          ref={buttonRef}
          variant="ghost"
          className="px-3 text-sm"
          aria-describedby={`${id}-title ${id}-text`}
          onClick={onUse}
        >
          Use it
        </Button>
        <Button variant="ghost" className="px-3 text-sm" aria-describedby={`${id}-text`} onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </div>
  )
}
