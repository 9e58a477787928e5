import { Button } from '#web/ui/button.tsx'

interface ReorderBarProps {
  open: boolean
  onDone: () => void
}

/** Stays at the foot of a small screen while the categories are being reordered. */
export function ReorderBar({ open, onDone }: ReorderBarProps) {
  return (
    <div
      inert={!open}
      role="region"
      aria-label="Reorder Mode"
      className={`fixed inset-x-0 bottom-0 z-10 flex items-center justify-between gap-4 border-t border-line bg-raised px-5 pt-3 pb-[max(--spacing(3),env(safe-area-inset-bottom))] shadow-raised transition-[translate,visibility] duration-calm md:hidden ${open ? '' : 'invisible translate-y-full'}`}
    >
      <p className="font-serif text-lg">Reorder Mode</p>
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  )
}
