import { startXStandIn, type XStandIn } from '#tests/support/x-provider.ts'
import type { ServerSettings } from './fixtures/server-process.ts'
import { expect, test as base } from './test.ts'

interface WorkerFixtures {
  /** A stand-in for X, on loopback. */
  x: XStandIn
  serverSettings: ServerSettings
}

/** A test whose server offers sign-in with the stand-in for X. */
export const test = base.extend<object, WorkerFixtures>({
  x: [
    async ({}, use) => {
      const standIn = await startXStandIn()
      await use(standIn)
      await standIn.close()
    },
    { scope: 'worker' },
  ],
  serverSettings: [
    async ({ x: { config } }, use) =>
      use({
        X_CLIENT_ID: config.clientId,
        X_CLIENT_SECRET: config.clientSecret,
        X_AUTHORIZE_URL: config.authorizeUrl,
        X_TOKEN_URL: config.tokenUrl,
        X_PROFILE_URL: config.profileUrl,
        X_PICTURE_URL: config.pictureOrigin,
      }),
    { scope: 'worker' },
  ],
})

export { expect }
