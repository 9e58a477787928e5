/** What the web app needs before its first request. Our server sends it inside the page, as a `<meta>` element. */
export interface PageConfig {
  /** Origin of the API; empty for the page's own. */
  url: string
  anonKey: string
  siteUrl: string
  productName: string
  xProvider: string
  xEnabled: boolean
  /** Whether new accounts are by invitation. */
  isSignUpClosed: boolean
}

export interface PageNames {
  productName: string
  /** Origin of the site: link previews need absolute URLs. */
  siteUrl: string
}

/** Puts the product's name into index.html: the title, the header, the name on the home screen of an iPhone, and the
 * preview shown where a link to the page is shared. */
export function namePage(template: string, { productName, siteUrl }: PageNames): string {
  const name = escapeHtml(productName)
  const image = escapeHtml(`${siteUrl}/social-preview.png`)
  return template
    .replace(/<title>[^<]*<\/title>/, () => `<title>${name}</title>`)
    .replace(/(<span data-product-name[^>]*>)[^<]*/, (_, start: string) => start + name)
    .replace(/(<meta property="og:title" content=")[^"]*/, (_, start: string) => start + name)
    .replace(/(<meta name="apple-mobile-web-app-title" content=")[^"]*/, (_, start: string) => start + name)
    .replace(/(<meta property="og:image" content=")[^"]*/, (_, start: string) => start + image)
}

/** Puts the product's name into the web app manifest, which names the app on a home screen. */
export function nameManifest(template: string, productName: string): string {
  const manifest: unknown = JSON.parse(template)
  if (typeof manifest !== 'object') return template
  return JSON.stringify({ ...manifest, name: productName, short_name: productName })
}

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
