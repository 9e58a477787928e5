import type { Locator, Page } from '@playwright/test'

/** Sign-in, sign-up and the request for a new password, all at `/`, and the code of two-factor sign-in. */
export class AuthScreen {
  readonly page: Page
  readonly email: Locator
  readonly password: Locator
  readonly signInButton: Locator
  readonly createAccountButton: Locator
  readonly signInWithX: Locator
  readonly forgotPassword: Locator
  readonly toSignUp: Locator
  readonly toLogin: Locator
  readonly sendResetLink: Locator
  readonly backToLogin: Locator
  readonly error: Locator
  /** Of an authenticator app. */
  readonly code: Locator
  readonly useRecoveryCode: Locator
  readonly recoveryCode: Locator

  constructor(page: Page) {
    this.page = page
    // Also the name of a section of the settings, which may be shown until the user is signed out.
    this.email = page.getByRole('textbox', { name: 'Email', exact: true })
    this.password = page.getByLabel('Password', { exact: true })
    this.signInButton = page.getByRole('button', { name: 'Sign In', exact: true })
    this.createAccountButton = page.getByRole('button', { name: 'Create Account' })
    this.signInWithX = page.getByRole('button', { name: 'Sign in with X' })
    this.forgotPassword = page.getByRole('link', { name: 'Forgot your password?' })
    this.toSignUp = page.getByRole('link', { name: 'Sign up' })
    this.toLogin = page.getByRole('link', { name: 'Login', exact: true })
    this.sendResetLink = page.getByRole('button', { name: 'Send Reset Link' })
    this.backToLogin = page.getByRole('button', { name: 'Back to Login' })
    this.error = page.getByRole('alert')
    this.code = page.getByLabel('Code', { exact: true })
    this.useRecoveryCode = page.getByRole('button', { name: 'Use a recovery code' })
    this.recoveryCode = page.getByLabel('Recovery code')
  }

  async open(mode: 'login' | 'signup' | 'reset' = 'login'): Promise<void> {
    await this.page.goto(mode === 'login' ? '/' : `/?mode=${mode}`)
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { name, level: 1 })
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.fill(email, password)
    await this.signInButton.click()
  }

  async signUp(email: string, password: string): Promise<void> {
    await this.fill(email, password)
    await this.createAccountButton.click()
  }

  async fill(email: string, password: string): Promise<void> {
    await this.email.fill(email)
    await this.password.fill(password)
  }
}
