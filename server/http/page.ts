/** What the web app has to know before its first request; it travels inside the page. */
export interface PageConfig {
  /** Origin of the API; empty for the page's own. */
  url: string
  anonKey: string
  siteUrl: string
  productName: string
  xProvider: string
  xEnabled: boolean
}

/**
 * Puts the configuration into the built index.html, and the product's name and address where others read them: the
 * title, and the preview that is shown when somebody passes the address on.
 */
export function fillPage(template: string, config: PageConfig): string {
  const meta = `<meta name="intercede-config" content="${escapeHtml(JSON.stringify(config))}">`
  const name = escapeHtml(config.productName)
  const preview = escapeHtml(`${config.siteUrl}/social-preview.png`)
  return template
    .replace(/<title>[^<]*<\/title>/, () => `<title>${name}</title>`)
    .replace(/(<meta property="og:title" content=")[^"]*/, (_, start: string) => start + name)
    .replace(/(<meta property="og:image" content=")[^"]*/, (_, start: string) => start + preview)
    .replace('</head>', () => `${meta}</head>`)
}

/** Puts the product's name into the built manifest, under which the app is kept on a home screen. */
export function fillManifest(template: string, productName: string): string {
  const manifest: unknown = JSON.parse(template)
  if (typeof manifest !== 'object') return template
  return JSON.stringify({ ...manifest, name: productName, short_name: productName })
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
