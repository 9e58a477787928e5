import { textOnDevice } from './fixtures/text-on-device.ts'
import { expect, test } from './test.ts'

test.use({ webApp: 'twice' })

test('when one of two servers is killed, the other one takes over unnoticed', async ({
  page,
  server,
  user,
  dashboard,
  navigation,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announceRepeatedInserts()
  // What is on a connection that ends with the server, such as a script of another screen, is requested again, but the browser logs it.
  consoleWatch.announce(
    /^console\.error: Failed to load resource: net::ERR_(?:EMPTY_RESPONSE|CONTENT_LENGTH_MISMATCH) /,
  )
  await user.addCategory('Family', { name: 'Anna' })
  await dashboard.open()
  const { rows } = dashboard.card('Family')
  await dashboard.addPrayer('Family', 'Ben')
  await expect(rows).toHaveText([/Ben/, /Anna/])
  // Everything has been pulled: no request is on its way, which would fail.
  const cursor = `"rev":${String(await user.revision())},"epoch"`
  await expect.poll(() => textOnDevice(page)).toContain(cursor)
  await server.kill()
  await dashboard.addPrayer('Family', 'Clara')
  await expect(rows).toHaveText([/Clara/, /Ben/, /Anna/])
  await page.reload()
  await expect(rows).toHaveText([/Clara/, /Ben/, /Anna/])
  await navigation.signOut()
  await authScreen.signIn(user.email, user.password)
  await expect(rows).toHaveText([/Clara/, /Ben/, /Anna/])
})
