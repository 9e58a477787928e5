import { IconButton } from '#web/ui/button.tsx'
import { ArrowDownIcon, ArrowUpIcon } from '#web/ui/icons.tsx'

interface ReorderArrowsProps {
  first: boolean
  last: boolean
  describedBy: string
  onMove: (by: -1 | 1) => void
}

/** One place up or down. An arrow that leads nowhere keeps the focus, so that the other one is a step away. */
export function ReorderArrows({ first, last, describedBy, onMove }: ReorderArrowsProps) {
  return (
    <div className="ml-auto flex shrink-0 gap-1">
      <IconButton
        label="Move up"
        variant="primary"
        aria-disabled={first || undefined}
        aria-describedby={describedBy}
        onClick={() => {
          if (!first) onMove(-1)
        }}
      >
        <ArrowUpIcon />
      </IconButton>
      <IconButton
        label="Move down"
        variant="primary"
        aria-disabled={last || undefined}
        aria-describedby={describedBy}
        onClick={() => {
          if (!last) onMove(1)
        }}
      >
        <ArrowDownIcon />
      </IconButton>
    </div>
  )
}
