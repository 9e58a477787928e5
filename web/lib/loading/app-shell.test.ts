import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NEW_PRAYER, SHARE_PATH } from './app-shell.ts'
import { DASHBOARD, PRAY, SIGN_IN } from '#web/lib/navigation/routes.ts'

it('the manifest leads to where the service worker and the dashboard expect it', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../public/manifest.webmanifest', import.meta.url), 'utf8'),
  )
  expect(manifest).toMatchObject({
    start_url: SIGN_IN,
    shortcuts: [{ url: PRAY }, { url: `${DASHBOARD}?${NEW_PRAYER}` }],
    share_target: {
      action: SHARE_PATH,
      method: 'POST',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  })
})
