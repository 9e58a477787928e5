import type { ReactNode } from 'react'
import { Footer } from './footer.tsx'
import { ProductHeader } from './product-header.tsx'
import { SkipLink } from './skip-link.tsx'

/** Around what guests do: a card before a landscape at dawn. */
export function GuestFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <div className="dawn-landscape" />
      <ProductHeader />
      <main
        id="main"
        tabIndex={-1}
        className="peer flex flex-1 items-start justify-center px-4 py-6 sm:items-center sm:px-8 sm:py-10"
      >
        {children}
      </main>
      <Footer />
    </>
  )
}
