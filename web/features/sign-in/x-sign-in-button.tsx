import { XLogo } from '#web/ui/brand-icons.tsx'
import { Button } from '#web/ui/button.tsx'

interface XSignInButtonProps {
  /** The form above is at work. */
  disabled: boolean
  leaving: boolean
  onLeave: () => void
}

/** The other way in. */
export function XSignInButton({ disabled, leaving, onLeave }: XSignInButtonProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-center gap-4 text-sm text-ink-faint before:flex-1 before:border-t before:border-line after:flex-1 after:border-t after:border-line">
        Or continue with
      </p>
      <Button loading={leaving} disabled={disabled} onClick={onLeave}>
        {!leaving && <XLogo />}
        Sign in with X
      </Button>
    </div>
  )
}
