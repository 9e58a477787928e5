import { Card } from '#web/ui/card.tsx'
import { Spinner } from '#web/ui/loading.tsx'

/** `/auth/callback`, while it is found out whether it worked. */
export function CompletingSignIn() {
  return (
    <Card className="flex w-full max-w-form items-center justify-center gap-4 rounded-xl p-9 shadow-raised">
      <Spinner className="text-gold-bright" />
      <h1 className="text-xl">Completing sign in...</h1>
    </Card>
  )
}
