import type { Page } from '@playwright/test'

/** Sign-in, sign-up and the request for a new password, all at `/`, and the code of two-factor sign-in. */
export function authScreenOf(page: Page) {
  // Also the name of a section of the settings, which may be shown until the user is signed out.
  const email = page.getByRole('textbox', { name: 'Email', exact: true })
  const password = page.getByLabel('Password', { exact: true })
  const signInButton = page.getByRole('button', { name: 'Sign In', exact: true })
  const createAccountButton = page.getByRole('button', { name: 'Create Account' })
  const fill = async (address: string, secret: string) => {
    await email.fill(address)
    await password.fill(secret)
  }
  return {
    page,
    email,
    password,
    signInButton,
    createAccountButton,
    signInWithX: page.getByRole('button', { name: 'Sign in with X' }),
    forgotPassword: page.getByRole('link', { name: 'Forgot your password?' }),
    toSignUp: page.getByRole('link', { name: 'Sign up' }),
    toLogin: page.getByRole('link', { name: 'Login', exact: true }),
    sendResetLink: page.getByRole('button', { name: 'Send Reset Link' }),
    error: page.getByRole('alert'),
    /** Of an authenticator app. */
    code: page.getByLabel('Code', { exact: true }),
    useRecoveryCode: page.getByRole('button', { name: 'Use a recovery code' }),
    recoveryCode: page.getByLabel('Recovery code'),
    open: async (mode: 'login' | 'signup' | 'reset' = 'login') =>
      void (await page.goto(mode === 'login' ? '/' : `/?mode=${mode}`)),
    heading: (name: string) => page.getByRole('heading', { name, level: 1 }),
    fill,
    async signIn(address: string, secret: string) {
      await fill(address, secret)
      await signInButton.click()
    },
    async signUp(address: string, secret: string) {
      await fill(address, secret)
      await createAccountButton.click()
    },
  }
}
