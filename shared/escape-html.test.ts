import { expect, it } from 'vitest'
import { escapeHtml } from './escape-html.ts'

it('makes words of whatever would be markup, once', () => {
  expect(escapeHtml(`<b title="a" lang='b'>`)).toBe('&lt;b title=&quot;a&quot; lang=&#39;b&#39;&gt;')
  expect(escapeHtml('&lt; Ruth & Boaz’s')).toBe('&amp;lt; Ruth &amp; Boaz’s')
})
