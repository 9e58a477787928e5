import { Link } from 'wouter'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { SIGN_IN } from '#web/lib/paths.ts'
import { ProductMark } from '#web/ui/brand-icons.tsx'

/** The name of the product, on top of pages that guests see. */
export function ProductHeader() {
  return (
    <header className="mx-auto flex min-h-16 w-full max-w-page items-center px-5 sm:min-h-20 sm:px-8">
      <Link
        href={SIGN_IN}
        className="flex min-h-11 items-center gap-2.5 rounded-md font-serif text-xl font-semibold tracking-tight"
      >
        <ProductMark />
        {PRODUCT_NAME}
      </Link>
    </header>
  )
}
