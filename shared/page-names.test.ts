import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { nameManifest, namePage } from './page-names.ts'

const source = (file: string) => readFileSync(new URL(`../web/${file}`, import.meta.url), 'utf8')
const NAMES = { productName: 'Ruth & "Friends" <b> $&', siteUrl: 'https://prayers.example.org' }
const ESCAPED = 'Ruth &amp; &quot;Friends&quot; &lt;b&gt; $&amp;'

it('stand in the title and in the preview of a page, as words', () => {
  const page = namePage(source('index.html'), NAMES)
  expect(page).toContain(`<title>${ESCAPED}</title>`)
  expect(page).toContain(`<meta property="og:title" content="${ESCAPED}"`)
  expect(page).toContain('<meta property="og:image" content="https://prayers.example.org/social-preview.png"')
  expect(page).not.toContain('>Intercede<')
})

it('stand in the manifest, which keeps everything else', () => {
  const before: object = JSON.parse(source('public/manifest.webmanifest'))
  expect(JSON.parse(nameManifest(JSON.stringify(before), 'Vigil'))).toEqual({
    ...before,
    name: 'Vigil',
    short_name: 'Vigil',
  })
})
