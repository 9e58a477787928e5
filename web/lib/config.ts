import { readConfig } from './read-config.ts'

/** What this page was sent with, or built with. */
export const config = readConfig(
  document.querySelector<HTMLMetaElement>('meta[name=intercede-config]')?.content ?? null,
  {
    url: import.meta.env.VITE_SUPABASE_URL,
    anonKey: import.meta.env.VITE_SUPABASE_ANON_KEY,
    siteUrl: import.meta.env.VITE_SITE_URL,
    productName: import.meta.env.VITE_PRODUCT_NAME,
    xProvider: import.meta.env.VITE_X_PROVIDER,
  },
  location.origin,
)

/** The product's name wherever it is shown. */
export const PRODUCT_NAME = config.productName
