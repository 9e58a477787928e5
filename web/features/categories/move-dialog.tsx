import { useRef } from 'react'
import type { Category } from '#web/data/categories.ts'
import { shortName } from '#web/lib/short-name.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EyeOffIcon } from '#web/ui/line-icon.tsx'
import { CONTAINS_PRAYERS } from './use-category-deletion.ts'

interface MoveDialogProps {
  from: Category
  /** How many prayers it has. */
  count: number
  /** The categories to which they can be moved; at least one. */
  targets: readonly Category[]
  onMove: (target: Category) => void
  onClose: () => void
}

/** Chooses where all prayers of a category are moved to. */
export function MoveDialog({ from, count, targets, onMove, onClose }: MoveDialogProps) {
  const firstRef = useRef<HTMLButtonElement>(null)
  const prayers = count === 1 ? 'The prayer' : `All ${count.toLocaleString('en')} prayers`
  return (
    <Dialog
      title="Move all to…"
      subtitle={`${prayers} in ${shortName(from.name)}`}
      initialFocusRef={firstRef}
      onClose={onClose}
    >
      <p className="pb-3 text-sm text-ink-soft">{CONTAINS_PRAYERS}</p>
      <ul className="divide-y divide-line border-t border-line">
        {targets.map((target, index) => (
          <li key={target.id}>
            <Button
              ref={index === 0 ? firstRef : undefined}
              variant="ghost"
              className="-mx-4 w-[calc(100%+--spacing(8))] justify-start! py-3 text-start! font-serif text-lg font-normal! text-ink!"
              onClick={() => onMove(target)}
            >
              <bdi className="min-w-0 wrap-anywhere">{target.name}</bdi>
              {!target.is_visible && (
                <span className="ms-auto flex shrink-0 items-center gap-1.5 font-sans text-sm text-ink-soft">
                  <EyeOffIcon className="size-4" />
                  hidden
                </span>
              )}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
