import { useRefetchAll } from '#web/data/user-data.tsx'
import { AccountDataScreen } from '#web/features/settings/account-data-screen.tsx'
import { signInWithX } from '#web/features/sign-in/x-sign-in.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { useUser } from '#web/lib/session.ts'

/** The screen of the user's account data, with the lists that an import changes and sign-in with X. */
export function AccountDataRoute() {
  const user = useUser()
  const refetchAll = useRefetchAll()
  return (
    <AccountDataScreen
      productName={PRODUCT_NAME}
      user={user}
      onImport={refetchAll}
      signInWithX={signInWithX}
    />
  )
}
