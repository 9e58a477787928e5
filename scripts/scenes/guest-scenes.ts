import {
  confirmationEmail,
  existingAccountEmail,
  type LinkEmail,
  recoveryEmail,
} from '#server/auth/email-templates.ts'
import type { Scene, SceneContext } from './scene.ts'

const LONG_LINK = `https://prayers.example.org/auth/v1/verify?token=${'3f9a'.repeat(14)}&type=recovery&redirect_to=https://prayers.example.org/reset-password`

/** The screens that need no account, and the emails. */
export const GUEST_SCENES: readonly Scene[] = [
  { name: 'sign-in', run: ({ authScreen }) => authScreen.open() },
  { name: 'sign-up', run: ({ authScreen }) => authScreen.open('signup') },
  { name: 'reset-request', run: ({ authScreen }) => authScreen.open('reset') },
  { name: 'reset-sent', run: sendResetLink },
  { name: 'sign-in-error', run: failToSignIn },
  { name: 'sign-in-busy', run: showSigningIn },
  { name: 'sign-up-errors', run: failToSignUp },
  {
    name: 'sign-in-link-expired',
    run: ({ page }) =>
      open(
        page,
        '/#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired',
      ),
  },
  {
    name: 'reset-password',
    run: ({ page }) => open(page, '/reset-password#type=recovery&access_token=a&refresh_token=r'),
  },
  {
    name: 'reset-password-without-token',
    run: ({ page }) => open(page, '/reset-password#type=recovery'),
  },
  { name: 'callback-failure', run: ({ page }) => open(page, '/auth/callback') },
  { name: 'terms', run: ({ page }) => open(page, '/terms') },
  { name: 'privacy', run: ({ page }) => open(page, '/privacy') },
  { name: 'not-found', run: ({ page }) => open(page, '/nowhere') },
  { name: 'email-confirmation', run: showEmail(confirmationEmail, LONG_LINK) },
  { name: 'email-existing-account', run: showEmail(existingAccountEmail, 'https://prayers.example.org/') },
  { name: 'email-recovery', run: showEmail(recoveryEmail, LONG_LINK) },
]

/** An email as a mail program shows it. */
function showEmail(compose: LinkEmail, link: string): Scene['run'] {
  const email = compose({ to: 'ruth.amsel@example.org', product: 'Intercede', link })
  return ({ page }) => page.setContent(email.html)
}

async function open(page: SceneContext['page'], path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

async function sendResetLink({ authScreen }: SceneContext): Promise<void> {
  await authScreen.open('reset')
  await authScreen.email.fill('ruth.amsel@example.org')
  await authScreen.sendResetLink.click()
  await authScreen.heading('Check Your Email').waitFor()
}

async function failToSignIn({ authScreen }: SceneContext): Promise<void> {
  await authScreen.open()
  await authScreen.signIn('ruth.amsel@example.org', 'not my password')
  await authScreen.error.waitFor()
}

async function showSigningIn({ page, server, authScreen }: SceneContext): Promise<void> {
  await authScreen.open()
  await authScreen.fill('ruth.amsel@example.org', 'a quiet hour')
  server.pause()
  await authScreen.signInButton.click()
  await page.getByText('Signing in...').waitFor()
}

async function failToSignUp({ authScreen }: SceneContext): Promise<void> {
  await authScreen.open('signup')
  await authScreen.signUp('ruth.amsel@example.org', 'short')
  await authScreen.error.first().waitFor()
}
