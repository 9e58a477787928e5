/** What a first visit may cost. Bytes as they travel: text compressed with gzip, 1 KB being 1,000 bytes. */
export interface Budget {
  script: number
  style: number
  font: number
  /** Everything that is asked for until the screen is complete and usable. */
  requests: number
}

/** React, its DOM part and the auth library, whole, would alone be 90 KB. */
export const SIGN_IN_BUDGET: Budget = { script: 95_000, style: 10_000, font: 40_000, requests: 6 }

/** Whoever is signed in already comes here first. */
export const DASHBOARD_BUDGET: Pick<Budget, 'script'> = { script: 116_000 }
