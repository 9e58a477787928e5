/** Limits for a first visit. Sizes are bytes after gzip; 1 KB is 1,000 bytes. */
export interface Budget {
  script: number
  style: number
  font: number
  /** All requests until the screen is complete and usable. */
  requests: number
}

/** React, react-dom and auth-js alone are 90 KB. */
export const SIGN_IN_BUDGET: Budget = { script: 105_000, style: 11_000, font: 40_000, requests: 6 }

/** The first screen of a user who is already signed in. */
export const DASHBOARD_BUDGET: Pick<Budget, 'script'> = { script: 136_000 }
