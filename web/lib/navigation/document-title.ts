import { useEffect } from 'react'
import { PRODUCT_NAME } from '#web/lib/config.ts'

/**
 * Sets the document's title, which ends with the name of the product.
 *
 * @param title null leaves it as it is
 */
export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · ${PRODUCT_NAME}`
  }, [title])
}
