import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { CheckIcon } from '#web/ui/icons.tsx'

interface ResolveButtonProps {
  resolved: boolean
  justResolved: boolean
  /** Id of the element that says whose prayer it is. */
  describedBy: string
  onPress: () => void
}

/** An open ring, or a golden one with a tick. A light goes out from it when a prayer has been answered. */
export function ResolveButton({ resolved, justResolved, describedBy, onPress }: ResolveButtonProps) {
  return (
    <IconButton
      label={resolved ? 'Mark as unresolved' : 'Mark as resolved'}
      variant="success"
      className="group row-start-2 rounded-full! bg-transparent!"
      aria-describedby={describedBy}
      onClick={onPress}
    >
      <span
        className={classNames(
          'relative flex size-6 items-center justify-center rounded-full border-2 transition-colors duration-calm',
          resolved
            ? 'border-gold-bright bg-gold-bright text-surface'
            : 'border-line-strong text-transparent group-hover:border-success group-hover:text-success',
        )}
      >
        {justResolved && <Glow />}
        <CheckIcon className={classNames('size-4', !resolved && 'forced-colors:invisible')} />
      </span>
    </IconButton>
  )
}

function Glow() {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 scale-200 rounded-full bg-gold-bright opacity-0 transition duration-700 ease-calm motion-reduce:hidden starting:scale-100 starting:opacity-60"
    />
  )
}
