import { type ReactNode, Suspense } from 'react'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { useSession } from '#web/lib/session.ts'
import { Footer } from './footer.tsx'
import { ProductHeader } from './product-header.tsx'
import { NavigationBar } from './screens.ts'
import { SkipLink } from './skip-link.tsx'

/** Around pages that are open to everybody. */
export function OpenFrame({ children }: { children: ReactNode }) {
  const session = useSession()
  return (
    <>
      <SkipLink />
      {session.status === 'signed-in' ? (
        <Suspense fallback={<ProductHeader />}>
          <NavigationBar productName={PRODUCT_NAME} user={session.user} />
        </Suspense>
      ) : (
        <ProductHeader />
      )}
      <main id="main" tabIndex={-1} className="peer flex flex-1 flex-col">
        {children}
      </main>
      <Footer />
    </>
  )
}
