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

/** Asks somebody to open an account that whoever runs the server has made for them. */
export const invitationEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `You are invited to ${product}`,
    heading: `You are invited to ${product}`,
    before: [
      `Whoever runs this site has invited you to ${product}, a place to keep your prayers. This link lets you choose a password, and your account is ready:`,
    ],
    action: 'Choose a password',
    link,
    after: [
      'The link works once, for seven days. Please pass it on to nobody: the account would be theirs.',
      'If you did not expect this, you need not do anything. Unless the link is opened, there will be no account.',
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
      'If you did not try to sign up, you need not do anything.',
      'If you have forgotten your password, you can choose a new one:',
    ],
    secondary: { action: 'Choose a new password', link: `${link}?mode=reset` },
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

/** Asks the owner of a new address whether it may become that of an account. */
export const newAddressEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `Confirm your new address for ${product}`,
    heading: 'Confirm your new address',
    before: [
      `Someone, we hope it was you, asked to use this address for their ${product} account. Please confirm that it is yours:`,
    ],
    action: 'Confirm this address',
    link,
    after: [
      'The link works once, for one hour. If your present address has received a link as well, open both, in either order.',
      'If you did not ask for this, please leave the link unopened: without it, nothing changes.',
    ],
  })

/** Asks at the present address whether an account may have another one. */
export const presentAddressEmail = (given: {
  to: string
  newAddress: string
  product: string
  link: string
}): Email =>
  composeEmail(given.to, {
    product: given.product,
    subject: `Change your address for ${given.product}?`,
    heading: 'Change your address?',
    before: [
      `Someone, we hope it was you, asked to use ${given.newAddress} for your ${given.product} account, instead of this address. Please confirm that you want this:`,
    ],
    action: 'Change my address',
    link: given.link,
    after: [
      'The link works once, for one hour. Please also open the one that we have sent to the new address, in either order.',
      'If you did not ask for this, please leave the link unopened: your account keeps this address. Someone else may know your password, so please choose a new one.',
    ],
  })

/** Tells the owner of an account that someone wanted to have its address for another account. */
export const addressInUseEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `This address already has an account for ${product}`,
    heading: 'This address already has an account',
    before: [
      `Someone, we hope it was you, asked to use this address for another ${product} account. It already has an account of its own, so nothing was changed.`,
      'If it was you, sign in to the account that has this address:',
    ],
    action: 'Sign in',
    link,
    after: ['If it was not you, you need not do anything. Nobody else can use this address.'],
  })

/** Tells the former address of an account that it has another one. */
export const addressChangedEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `Your address for ${product} was changed`,
    heading: 'Your address was changed',
    before: [
      `Your ${product} account now has another email address, and this one no longer belongs to it. If this was you, you need not do anything.`,
      'If it was somebody else, open the settings on a device where you are still signed in, choose a new password, and change the address back:',
    ],
    action: 'Open the settings',
    link,
    after: ['If you are not signed in anywhere, please write to whoever runs this site as soon as you can.'],
  })

/** Tells the owner of an account that it has a new password. */
export const passwordChangedEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `Your password for ${product} was changed`,
    heading: 'Your password was changed',
    before: [
      `Your ${product} account has a new password, and all other devices were signed out. If this was you, you need not do anything.`,
      'If it was somebody else, ask for a link to set another password, which signs them out:',
    ],
    action: 'Set another password',
    link,
    after: ['If that does not help, please write to whoever runs this site as soon as you can.'],
  })

/** A code that proves that the user reads the emails of their account. */
export const reauthenticationEmail = (given: { to: string; product: string; code: string }): Email =>
  composeEmail(given.to, {
    product: given.product,
    subject: `Your code for ${given.product}`,
    heading: 'Your code',
    before: ['Please enter this code where you have asked for it:'],
    code: given.code,
    after: [
      'The code works for one change, within one hour.',
      `If you did not ask for it, give it to nobody: someone else is signed in to your ${given.product} account. Please choose a new password.`,
    ],
  })

interface EmailFrame {
  product: string
  subject: string
  heading: string
  /** Paragraphs before the button or code. */
  before: readonly string[]
  /** Paragraphs after the button or code. */
  after: readonly string[]
  /** A further link, after them. */
  secondary?: { action: string; link: string }
}

/** The text of an email with a button, whose label is `action`, or with a code to enter. */
type EmailText = EmailFrame & ({ action: string; link: string } | { code: string })

export function composeEmail(to: string, text: EmailText): Email {
  return { to, subject: text.subject, text: renderPlainText(text), html: renderHtml(text) }
}

function renderPlainText(email: EmailText): string {
  const { heading, before, after, secondary, product } = email
  const linkText = ({ action, link }: { action: string; link: string }) => `${action}:\n${link}`
  const middle = 'code' in email ? email.code : linkText(email)
  const last = secondary === undefined ? [] : [linkText(secondary)]
  return [heading, ...before, middle, ...after, ...last, product].join('\n\n') + '\n'
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
  .code { background: #2c2721 !important; }
  .sky { background: #382d19 !important; }
  .sun { background: #d3a548 !important; }
  .hill { background: #4a70bd !important; }
  .button { background: #4a70bd !important; color: #fffefb !important; }
}`
const INK = '#2b241c'
const SOFT = '#5b5145'
const SERIF = "font-family: Georgia, 'Times New Roman', serif"
const CODE_FONT =
  'font-family: Menlo, Consolas, monospace; font-size: 34px; line-height: 1.2; letter-spacing: 6px; text-align: center'
/** Two declarations, because not all mail clients know the first one. */
const BREAK_ANYWHERE = 'overflow-wrap: anywhere; word-break: break-word'

function renderHtml(email: EmailText): string {
  const paragraph = (text: string, colour: 'ink' | 'soft') =>
    `<p class="${colour}" style="margin: 0 0 16px; color: ${colour === 'ink' ? INK : SOFT}">${escapeHtml(text)}</p>`
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
${renderBrand(email.product)}
<h1 class="ink" style="margin: 0 0 16px; font-size: 26px; line-height: 1.25; font-weight: bold; color: ${INK}">${escapeHtml(email.heading)}</h1>
${email.before.map((text) => paragraph(text, 'ink')).join('\n')}
${'code' in email ? renderCode(email.code) : renderButton(email.action, email.link)}
${email.after.map((text) => paragraph(text, 'soft')).join('\n')}
${email.secondary === undefined ? '' : renderSecondary(email.secondary)}
${'code' in email ? '' : renderAddress(email.link)}
</div>
</body>
</html>
`
}

/** The product's mark, a sun behind a hill, and its name. The mark consists of boxes, because many mail programs show no pictures. */
function renderBrand(product: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin: 0 0 24px"><tr>
<td><div class="sky" style="width: 36px; height: 36px; overflow: hidden; border-radius: 8px; background: #f8ecd0"><div class="sun" style="width: 20px; height: 10px; margin: 12px auto 0; border-radius: 10px 10px 0 0; background: #c0912f"></div><div class="hill" style="height: 14px; border-radius: 18px 18px 0 0 / 4px 4px 0 0; background: #26457f"></div></div></td>
<td class="ink" style="padding-left: 12px; font-size: 19px; font-weight: bold; color: ${INK}">${escapeHtml(product)}</td>
</tr></table>`
}

function renderButton(action: string, link: string): string {
  return `<p style="margin: 24px 0"><a class="button" href="${escapeHtml(link)}" style="display: inline-block; padding: 12px 24px; border-radius: 8px; background: #26457f; color: #fffdf8; font-weight: bold; text-decoration: none">${escapeHtml(action)}</a></p>`
}

function renderSecondary({ action, link }: { action: string; link: string }): string {
  return `<p style="margin: 0 0 16px"><a class="soft" href="${escapeHtml(link)}" style="color: ${SOFT}">${escapeHtml(action)}</a></p>`
}

function renderAddress(link: string): string {
  const address = escapeHtml(link)
  return `<p class="soft" style="margin: 0 0 16px; color: ${SOFT}; font-size: 14px">If the button does not work, copy this address into your browser:<br><a class="soft" href="${address}" style="color: ${SOFT}; word-break: break-all">${address}</a></p>`
}

/** On a line of its own, in one piece, so that a double click or a long press selects all of it. */
function renderCode(code: string): string {
  return `<p class="ink code" style="margin: 24px 0; padding: 16px 8px; border-radius: 8px; background: #f3ecdf; ${CODE_FONT}; color: ${INK}">${escapeHtml(code)}</p>`
}
