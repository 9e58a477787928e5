import { CompletingSignIn } from '#web/features/sign-in/completing-sign-in.tsx'
import { GuestFrame } from './guest-frame.tsx'
import { Waiting } from './waiting.tsx'

interface StartingScreenProps {
  /** Another service has just sent the person back. */
  isReturning: boolean
}

/** Shown while it is not yet known who is here. */
export function StartingScreen({ isReturning }: StartingScreenProps) {
  if (!isReturning) return <Waiting />
  return (
    <GuestFrame>
      <CompletingSignIn />
    </GuestFrame>
  )
}
