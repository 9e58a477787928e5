import { Button } from '#web/ui/button.tsx'
import { LightIcon } from '#web/ui/icons.tsx'
import { useFocusedHeading } from './use-focused-heading.ts'

interface AmenProps {
  /** How many prayers were prayed. */
  count: number
  onDone: () => void
}

/** The end of a session. */
export function Amen({ count, onDone }: AmenProps) {
  const heading = useFocusedHeading()
  return (
    <div data-quiet className="pray-page pray-amen">
      <LightIcon className="size-7 text-gold-bright" />
      <h1 ref={heading} tabIndex={-1}>
        Amen.
      </h1>
      {count > 0 && (
        <p className="text-ink-soft">
          You prayed for {count === 1 ? '1 person' : `${count.toLocaleString('en')} people`}.
        </p>
      )}
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  )
}
