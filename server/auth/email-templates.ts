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
      `If you did not sign up for ${product}, please leave the link unopened: without it, nobody can use this address. If you have opened it already, choose a password there, and only you can sign in.`,
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
      'If you did not ask for this, you need not do anything. Unless the link is opened, your password stays as it is.',
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

/**
 * The colours of the app (web/ui/tokens.css). Mail clients with a dark mode apply those in `STYLE` by class; all others show
 * the inline ones.
 */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #191613 !important; }
  .card { background: #221e1a !important; border-color: #3a332b !important; }
  .ink { color: #f1e9db !important; }
  .soft { color: #c6baa8 !important; }
  .button { background: #4a70bd !important; color: #fffefb !important; }
}`
const INK = '#2b241c'
const SOFT = '#5b5145'
const SERIF = "font-family: Georgia, 'Times New Roman', serif"
/** Two declarations, because not all mail clients know the first one. */
const BREAK_ANYWHERE = 'overflow-wrap: anywhere; word-break: break-word'

function renderHtml(email: EmailText): string {
  const paragraph = (text: string, colour: 'ink' | 'soft') =>
    `<p class="${colour}" style="margin: 0 0 16px; color: ${colour === 'ink' ? INK : SOFT}">${escapeHtml(text)}</p>`
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
<body class="page" style="margin: 0; padding: 24px 12px; background: #faf6ed; ${SERIF}; font-size: 17px; line-height: 1.55">
<div class="card" style="max-width: 520px; margin: 0 auto; padding: 28px 24px; background: #fffdf8; border: 1px solid #e6dccb; border-radius: 14px; ${BREAK_ANYWHERE}">
<h1 class="ink" style="margin: 0 0 16px; font-size: 26px; line-height: 1.25; font-weight: bold; color: ${INK}">${escapeHtml(email.heading)}</h1>
${email.before.map((text) => paragraph(text, 'ink')).join('\n')}
<p style="margin: 24px 0"><a class="button" href="${link}" style="display: inline-block; padding: 12px 24px; border-radius: 8px; background: #26457f; color: #fffdf8; font-weight: bold; text-decoration: none">${escapeHtml(email.action)}</a></p>
${email.after.map((text) => paragraph(text, 'soft')).join('\n')}
<p class="soft" style="margin: 0 0 16px; color: ${SOFT}; font-size: 14px">If the button does not work, copy this address into your browser:<br><a class="soft" href="${link}" style="color: ${SOFT}; word-break: break-all">${link}</a></p>
<p class="soft" style="margin: 0; color: ${SOFT}">${escapeHtml(email.product)}</p>
</div>
</body>
</html>
`
}
