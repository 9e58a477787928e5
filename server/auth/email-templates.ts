import { escapeHtml } from '#shared/page.ts'
import type { Email } from './mailers.ts'

/** Composes an email that asks the user to open a link. */
export type LinkEmail = (given: { to: string; product: string; link: string }) => Email

/** Asks the user to confirm that the email address is theirs. */
export const confirmationEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `Confirm your address for ${product}`,
    heading: `Welcome to ${product}`,
    before: [
      `It is good to have you here. Please confirm that this address is yours, and your account is ready:`,
    ],
    action: 'Confirm my address',
    link,
    after: [
      'The link works once, for one hour.',
      `If you did not sign up for ${product}, you need not do anything. Without a confirmation nobody can use this address.`,
    ],
  })

/** Answers a sign-up with the address of an account: it may be the owner's, who has forgotten about it. */
export const existingAccountEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `You already have an account for ${product}`,
    heading: 'You already have an account',
    before: [
      `Someone, we hope it was you, tried to sign up for ${product} with this address. It already has an account, so nothing was changed.`,
      'Sign in with the password you have chosen before, or with X if that is how you signed up:',
    ],
    action: 'Sign in',
    link,
    after: [
      `If you have forgotten your password, you can choose a new one: ${link}?mode=reset`,
      'If you did not try to sign up, you need not do anything.',
    ],
  })

/** Lets a user who forgot their password choose a new one. */
export const recoveryEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `Set a new password for ${product}`,
    heading: 'Set a new password',
    before: [
      `Someone, we hope it was you, asked for a new password for your ${product} account.`,
      'Everything you have kept there is safe and waiting for you. This link lets you choose a new password:',
    ],
    action: 'Choose a new password',
    link,
    after: [
      'The link works once, for one hour. When your password is changed, all other devices are signed out.',
      'If you did not ask for this, you need not do anything. Your password stays as it is.',
    ],
  })

/** The text of an email with one link. */
interface EmailText {
  product: string
  subject: string
  heading: string
  /** Paragraphs before the button. */
  before: readonly string[]
  /** The button's label. */
  action: string
  link: string
  /** Paragraphs after the button. */
  after: readonly string[]
}

function composeEmail(to: string, text: EmailText): Email {
  return { to, subject: text.subject, text: renderPlainText(text), html: renderHtml(text) }
}

function renderPlainText({ heading, before, action, link, after, product }: EmailText): string {
  return [heading, ...before, `${action}:\n${link}`, ...after, product].join('\n\n') + '\n'
}

/** Mail clients with a dark mode apply these colours by class; all others show the inline ones. */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #1b1a18 !important; }
  .card { background: #262421 !important; border-color: #3b3833 !important; }
  .ink { color: #f2ede4 !important; }
  .soft { color: #b9b1a4 !important; }
  .button { background: #e0b873 !important; color: #1b1a18 !important; }
}`
const FONT = "font-family: Georgia, 'Times New Roman', serif"

function renderHtml(email: EmailText): string {
  const paragraph = (text: string, colour: 'ink' | 'soft') =>
    `<p class="${colour}" style="margin: 0 0 16px; color: ${colour === 'ink' ? '#2b2926' : '#6b645a'}">${escapeHtml(text)}</p>`
  const link = escapeHtml(email.link)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(email.subject)}</title>
<style>${STYLE}
</style>
</head>
<body class="page" style="margin: 0; padding: 32px 16px; background: #f6f2ea; ${FONT}; font-size: 17px; line-height: 1.55">
<div class="card" style="max-width: 520px; margin: 0 auto; padding: 32px; background: #ffffff; border: 1px solid #e4dccd; border-radius: 12px">
<h1 class="ink" style="margin: 0 0 16px; font-size: 24px; line-height: 1.25; font-weight: normal; color: #2b2926">${escapeHtml(email.heading)}</h1>
${email.before.map((text) => paragraph(text, 'ink')).join('\n')}
<p style="margin: 24px 0"><a class="button" href="${link}" style="display: inline-block; padding: 12px 22px; border-radius: 8px; background: #7a4b12; color: #ffffff; text-decoration: none">${escapeHtml(email.action)}</a></p>
${email.after.map((text) => paragraph(text, 'soft')).join('\n')}
<p class="soft" style="margin: 0 0 16px; color: #6b645a; font-size: 14px; word-break: break-all">If the button does not work, copy this address into your browser:<br><a class="soft" href="${link}" style="color: #6b645a">${link}</a></p>
<p class="soft" style="margin: 0; color: #6b645a">${escapeHtml(email.product)}</p>
</div>
</body>
</html>
`
}
