import { escapeHtml } from '#shared/page.ts'
import type { Email } from './mailers.ts'

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

/** Composes an email with the design of the app, as HTML and as plain text. */
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
