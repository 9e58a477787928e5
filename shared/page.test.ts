import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { escapeHtml, nameManifest, namePage } from './page.ts'

const source = (file: string) => readFileSync(new URL(`../web/${file}`, import.meta.url), 'utf8')
const NAMES = { productName: 'Ruth & "Friends" <b> $&', siteUrl: 'https://prayers.example.org' }
const ESCAPED = 'Ruth &amp; &quot;Friends&quot; &lt;b&gt; $&amp;'

it('puts the escaped name into the title and the preview of the page', () => {
  const page = namePage(source('index.html'), NAMES)
  expect(page).toContain(`<title>${ESCAPED}</title>`)
  expect(page).toContain(`<meta property="og:title" content="${ESCAPED}"`)
  expect(page).toContain('<meta property="og:image" content="https://prayers.example.org/social-preview.png"')
  expect(page).toContain(`<meta name="apple-mobile-web-app-title" content="${ESCAPED}"`)
  expect(page).not.toContain('>Intercede<')
})

it('puts the name into the manifest and leaves the rest as it is', () => {
  const before: object = JSON.parse(source('public/manifest.webmanifest'))
  expect(JSON.parse(nameManifest(JSON.stringify(before), 'Vigil'))).toEqual({
    ...before,
    name: 'Vigil',
    short_name: 'Vigil',
  })
})

it('escapes every character that has a meaning in HTML, once', () => {
  expect(escapeHtml(`<b title="a" lang='b'>`)).toBe('&lt;b title=&quot;a&quot; lang=&#39;b&#39;&gt;')
  expect(escapeHtml('&lt; Ruth & Boaz’s')).toBe('&amp;lt; Ruth &amp; Boaz’s')
})
