import { Button } from './button.tsx'

interface DraftOfferProps {
  /** What was typed and not saved, in short. */
  text: string
  onRestore: () => void
}

/** Offers back what was typed before and not saved. It waits; nobody has to decide. */
export function DraftOffer({ text, onRestore }: DraftOfferProps) {
  return (
    <div className="flex items-center gap-3 rounded-md bg-sunken py-1 pr-1 pl-3.5 text-sm text-ink-soft">
      <p className="min-w-0 flex-1 truncate">You had typed “{text}”</p>
      <Button variant="ghost" className="shrink-0 text-sm" onClick={onRestore}>
        Bring it back
      </Button>
    </div>
  )
}
