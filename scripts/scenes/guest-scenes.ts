import type { Scene, Stage } from './scene.ts'

/** Everything that can be seen without an account. */
export const GUEST_SCENES: readonly Scene[] = [
  { name: 'sign-in', play: ({ auth }) => auth.open() },
  { name: 'sign-up', play: ({ auth }) => auth.open('signup') },
  { name: 'reset-request', play: ({ auth }) => auth.open('reset') },
  { name: 'reset-sent', play: sendResetLink },
  { name: 'sign-in-error', play: failToSignIn },
  { name: 'sign-in-busy', play: signInSlowly },
  { name: 'sign-up-errors', play: failToSignUp },
  { name: 'reset-password', play: ({ page }) => open(page, '/reset-password#type=recovery') },
  {
    name: 'reset-password-expired',
    play: ({ page }) =>
      open(
        page,
        '/reset-password#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&type=recovery',
      ),
  },
  { name: 'callback-failure', play: ({ page }) => open(page, '/auth/callback') },
  {
    name: 'callback-without-email',
    play: ({ page }) =>
      open(page, '/auth/callback?error_description=Error+getting+user+email+from+external+provider'),
  },
  { name: 'terms', play: ({ page }) => open(page, '/terms') },
  { name: 'privacy', play: ({ page }) => open(page, '/privacy') },
  { name: 'not-found', play: ({ page }) => open(page, '/nowhere') },
]

async function open(page: Stage['page'], path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

async function sendResetLink({ auth }: Stage): Promise<void> {
  await auth.open('reset')
  await auth.email.fill('ruth.amsel@example.org')
  await auth.sendResetLink.click()
  await auth.heading('Check Your Email').waitFor()
}

async function failToSignIn({ auth }: Stage): Promise<void> {
  await auth.open()
  await auth.signIn('ruth.amsel@example.org', 'not my password')
  await auth.error.waitFor()
}

async function signInSlowly({ page, server, auth }: Stage): Promise<void> {
  await auth.open()
  await auth.fill('ruth.amsel@example.org', 'a quiet hour')
  server.pause()
  await auth.signInButton.click()
  await page.getByText('Signing in...').waitFor()
}

async function failToSignUp({ auth }: Stage): Promise<void> {
  await auth.open('signup')
  await auth.signUp('ruth.amsel@example.org', 'short')
  await auth.error.first().waitFor()
}
