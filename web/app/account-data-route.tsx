import { useQueryClient } from '@tanstack/react-query'
import { signInWithX } from '#web/features/sign-in/x-sign-in.ts'
import { categoriesOf } from '#web/features/categories/categories-list.ts'
import { AccountDataScreen } from '#web/features/settings/account-data-screen.tsx'
import { prayersOf } from '#web/features/prayers/prayers-list.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { tellOtherTabs } from '#web/lib/lists/other-tabs.ts'
import { useUser } from '#web/lib/session.ts'

/** What a person can do with all of their data, told which lists an import changes and how to sign in with X. */
export function AccountDataRoute() {
  const user = useUser()
  const client = useQueryClient()
  const fetchListsAgain = () => {
    for (const { key } of [categoriesOf(user.id), prayersOf(user.id)]) {
      void client.invalidateQueries({ queryKey: key, exact: true })
      tellOtherTabs(key)
    }
  }
  return (
    <AccountDataScreen
      productName={PRODUCT_NAME}
      user={user}
      onImport={fetchListsAgain}
      signInWithX={signInWithX}
    />
  )
}
