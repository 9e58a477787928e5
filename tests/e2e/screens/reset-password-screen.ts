import type { Locator, Page } from '@playwright/test'

/** `/reset-password`, opened by the link in a reset email, or by one that confirms an address. */
export class ResetPasswordScreen {
  readonly title: Locator
  readonly titleOfConfirmation: Locator
  readonly done: Locator
  readonly newPassword: Locator
  readonly confirmPassword: Locator
  readonly updateButton: Locator
  readonly goToLogin: Locator
  readonly error: Locator

  constructor(page: Page) {
    this.title = page.getByRole('heading', { name: 'Set New Password', level: 1 })
    this.titleOfConfirmation = page.getByRole('heading', { name: 'Set Your Password', level: 1 })
    this.done = page.getByRole('heading', { name: 'Password Updated', level: 1 })
    this.newPassword = page.getByLabel('New Password', { exact: true })
    this.confirmPassword = page.getByLabel('Confirm Password', { exact: true })
    this.updateButton = page.getByRole('button', { name: 'Update Password' })
    this.goToLogin = page.getByRole('button', { name: 'Go to Login' })
    this.error = page.getByRole('alert')
  }

  async set(password: string, confirmation = password): Promise<void> {
    await this.newPassword.fill(password)
    await this.confirmPassword.fill(confirmation)
    await this.updateButton.click()
  }
}
