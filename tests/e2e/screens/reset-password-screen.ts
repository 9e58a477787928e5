import type { Page } from '@playwright/test'

/** `/reset-password`, opened by the link in a reset email, or by one that confirms an address. */
export function resetPasswordScreenOf(page: Page) {
  const newPassword = page.getByLabel('New Password', { exact: true })
  const confirmPassword = page.getByLabel('Confirm Password', { exact: true })
  const updateButton = page.getByRole('button', { name: 'Update Password' })
  return {
    title: page.getByRole('heading', { name: 'Set New Password', level: 1 }),
    done: page.getByRole('heading', { name: 'Password Updated', level: 1 }),
    newPassword,
    confirmPassword,
    updateButton,
    goToLogin: page.getByRole('button', { name: 'Go to Login' }),
    error: page.getByRole('alert'),
    async set(password: string, confirmation = password) {
      await newPassword.fill(password)
      await confirmPassword.fill(confirmation)
      await updateButton.click()
    },
  }
}
