import { escapeHtml } from '#shared/escape-html.ts'
import { namePage } from '#shared/page-names.ts'

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

/** Puts the configuration into the built index.html, and the product's name and address where others read them. */
export function fillPage(template: string, config: PageConfig): string {
  const meta = `<meta name="intercede-config" content="${escapeHtml(JSON.stringify(config))}">`
  return namePage(template, config).replace('</head>', () => `${meta}</head>`)
}
