/** Addresses inside the app. */
export const SIGN_IN = '/'
export const DASHBOARD = '/dashboard'
export const MANAGE_CATEGORIES = '/manage-categories'
export const ACCOUNT_DATA = '/account'
export const RESET_PASSWORD = '/reset-password'
export const AUTH_CALLBACK = '/auth/callback'
export const TERMS = '/terms'
export const PRIVACY = '/privacy'
