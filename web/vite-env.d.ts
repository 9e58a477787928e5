/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_SUPABASE_URL?: string
  readonly VITE_SUPABASE_ANON_KEY?: string
  readonly VITE_SITE_URL?: string
  readonly VITE_X_PROVIDER?: string
  readonly VITE_PRODUCT_NAME?: string
  /** Of package.json; only in what is built. */
  readonly APP_VERSION?: string
}
