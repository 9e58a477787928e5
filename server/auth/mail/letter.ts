import { escapeHtml } from '#shared/page.ts'
import type { Mail } from './mailer.ts'

/** The words of a mail that asks for one thing. */
export interface Letter {
  to: string
  product: string
  subject: string
  heading: string
  /** Said before the button. */
  before: readonly string[]
  action: string
  link: string
  /** Said after the button. */
  after: readonly string[]
}

/** Both forms of the mail: plain text, and HTML that is readable in light and dark. */
export function composeLetter(letter: Letter): Mail {
  return { to: letter.to, subject: letter.subject, text: plainText(letter), html: html(letter) }
}

function plainText({ heading, before, action, link, after, product }: Letter): string {
  return [heading, ...before, `${action}:\n${link}`, ...after, product].join('\n\n') + '\n'
}

/** Mail programs that know dark mode get dark colours by class; all others show the inline ones. */
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

function html(letter: Letter): string {
  const paragraph = (text: string, kind: 'ink' | 'soft') =>
    `<p class="${kind}" style="margin: 0 0 16px; color: ${kind === 'ink' ? '#2b2926' : '#6b645a'}">${escapeHtml(text)}</p>`
  const link = escapeHtml(letter.link)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(letter.subject)}</title>
<style>${STYLE}
</style>
</head>
<body class="page" style="margin: 0; padding: 32px 16px; background: #f6f2ea; ${FONT}; font-size: 17px; line-height: 1.55">
<div class="card" style="max-width: 520px; margin: 0 auto; padding: 32px; background: #ffffff; border: 1px solid #e4dccd; border-radius: 12px">
<h1 class="ink" style="margin: 0 0 16px; font-size: 24px; line-height: 1.25; font-weight: normal; color: #2b2926">${escapeHtml(letter.heading)}</h1>
${letter.before.map((text) => paragraph(text, 'ink')).join('\n')}
<p style="margin: 24px 0"><a class="button" href="${link}" style="display: inline-block; padding: 12px 22px; border-radius: 8px; background: #7a4b12; color: #ffffff; text-decoration: none">${escapeHtml(letter.action)}</a></p>
${letter.after.map((text) => paragraph(text, 'soft')).join('\n')}
<p class="soft" style="margin: 0 0 16px; color: #6b645a; font-size: 14px; word-break: break-all">If the button does not work, copy this address into your browser:<br><a class="soft" href="${link}" style="color: #6b645a">${link}</a></p>
<p class="soft" style="margin: 0; color: #6b645a">${escapeHtml(letter.product)}</p>
</div>
</body>
</html>
`
}
