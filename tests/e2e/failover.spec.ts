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
  await user.addCategory('Family', { name: 'Anna' })
  await dashboard.open()
  const { rows } = dashboard.card('Family')
  await dashboard.addPrayer('Family', 'Ben')
  await expect(rows).toHaveText([/Ben/, /Anna/])
  // Requests that are on their way fail, and are repeated.
  consoleWatch.announceFailingServer()
  await server.kill()
  await dashboard.addPrayer('Family', 'Clara')
  await expect(rows).toHaveText([/Clara/, /Ben/, /Anna/])
  await page.reload()
  await expect(rows).toHaveText([/Clara/, /Ben/, /Anna/])
  await navigation.signOut()
  await authScreen.signIn(user.email, user.password)
  await expect(rows).toHaveText([/Clara/, /Ben/, /Anna/])
})
