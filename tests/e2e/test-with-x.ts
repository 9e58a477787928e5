import { startXStandIn, type XPerson, type XStandIn } from '#tests/support/x-provider.ts'
import type { ServerSettings } from './fixtures/server-process.ts'
import { expect, test as base } from './test.ts'

interface WorkerFixtures {
  /** Whom X knows. */
  xPerson: XPerson
  /** Takes the place of X, on loopback. */
  x: XStandIn
  serverSettings: ServerSettings
}

/** A test whose server signs people in with a stand-in of X. */
export const test = base.extend<object, WorkerFixtures>({
  xPerson: [
    { id: '1', name: 'Ruth Amsel', username: 'ruth', confirmed_email: 'ruth@example.org' },
    { scope: 'worker', option: true },
  ],
  x: [
    async ({ xPerson }, use) => {
      const standIn = await startXStandIn(xPerson)
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
