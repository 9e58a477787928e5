import { escapeHtml } from './escape-html.ts'

/** What a page says of itself to those who do not run it: tabs that load, and previews of a shared address. */
export interface PageNames {
  productName: string
  /** Origin of the site, which previews need in full. */
  siteUrl: string
}

/** Puts the names into index.html: the title, and the preview that is shown when somebody passes the address on. */
export function namePage(template: string, { productName, siteUrl }: PageNames): string {
  const name = escapeHtml(productName)
  const preview = escapeHtml(`${siteUrl}/social-preview.png`)
  return template
    .replace(/<title>[^<]*<\/title>/, () => `<title>${name}</title>`)
    .replace(/(<meta property="og:title" content=")[^"]*/, (_, start: string) => start + name)
    .replace(/(<meta property="og:image" content=")[^"]*/, (_, start: string) => start + preview)
}

/** Puts the product's name into the manifest, under which the app is kept on a home screen. */
export function nameManifest(template: string, productName: string): string {
  const manifest: unknown = JSON.parse(template)
  if (typeof manifest !== 'object') return template
  return JSON.stringify({ ...manifest, name: productName, short_name: productName })
}
