import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { linkIn } from '#tests/support/mailbox.ts'
import { startSmtpServer, type TestSmtpServer } from '#tests/support/smtp-server.ts'
import { enterKey, makeKey } from './fixtures/prayer-key.ts'
import { RecordingProxy } from './fixtures/recording-proxy.ts'
import { MOVABLE_CLOCK, startServer } from './fixtures/server-process.ts'
import { openWithWorker, shareText } from './fixtures/service-worker.ts'
import { screensOf } from './screens/screens.ts'
import { expect, test as base } from './test.ts'

/** All that leaves the browser and the server. */
interface Traffic {
  proxy: RecordingProxy
  mailServer: TestSmtpServer
}

/** With the database in the data folder of the server. */
const test = base.extend<object, { traffic: Traffic }>({
  withServiceWorker: true,
  traffic: [
    async ({}, use) => {
      const [proxy, mailServer] = [await RecordingProxy.open(), await startSmtpServer()]
      await use({ proxy, mailServer })
      await proxy.close()
      await mailServer.close()
    },
    { scope: 'worker' },
  ],
  installation: [
    async ({ traffic: { proxy, mailServer } }, use) => {
      const urls = { SITE_URL: proxy.url, API_URL: proxy.url, DATABASE_URL: '', SMTP_URL: mailServer.url }
      const settings = { AUTH_CONFIRM_EMAIL: 'false', LOG_LEVEL: 'trace', ...MOVABLE_CLOCK }
      const server = await startServer({ ...urls, ...settings })
      proxy.forwardTo(server.url)
      const discard = () => server.discard()
      await use({ server, siteUrl: proxy.url, releases: null, discard })
      await discard()
    },
    { scope: 'worker' },
  ],
})

/** Begins every text that is typed in the encrypted account. */
const MARK = 'Xylophant'

/** The contents of all files in a folder. */
async function contentsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return (await Promise.all(paths.map((path) => readFile(path, 'latin1')))).join('\n')
}

test('nothing that is typed in an encrypted account is in the database, its files, the log, an email or a request', async ({
  page,
  context,
  browser,
  server,
  traffic: { proxy, mailServer },
  user,
  newUser,
  screens,
  consoleWatch,
}) => {
  const { authScreen, navigation, dashboard, categories, search, pray } = screens
  const { prayer, answered, settings, resetPassword, yourData } = screens
  consoleWatch.announceFailingServer()
  consoleWatch.announce(/^status 4/)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { prayerDialog } = dashboard
  const typed: string[] = []
  /** Another text for each place. */
  const textFor = (place: string) => {
    typed.push(MARK + place)
    return MARK + place
  }
  const [family, anna, ben, note] = [
    textFor('Category'),
    textFor('Person'),
    textFor('Listed'),
    textFor('Note'),
  ]
  const card = dashboard.card(family)
  const neighbour = await newUser()
  await neighbour.addCategory('Plainword')
  await openWithWorker(page, '/dashboard')
  const key = await makeKey(page, user)

  await test.step('add, edit and search', async () => {
    await categories.open()
    await categories.add(`${MARK}Former`)
    await categories.row(`${MARK}Former`).edit.click()
    await categories.nameInput.fill(family)
    await categories.saveName.click()
    await dashboard.open()
    await dashboard.addPrayer(family, `${MARK}Former`, note)
    await card.row(`${MARK}Former`).edit.click()
    await prayerDialog.name.fill(anna)
    await prayerDialog.updateButton.click()
    await search.goto()
    await search.field.fill(note)
    await expect(search.open.results).toHaveCount(1)
    await search.field.fill(`${MARK}Query`)
    await expect(search.open.results).toHaveCount(0)
  })

  await test.step('pray, answer and reopen', async () => {
    await pray.open()
    await pray.begin.click()
    await pray.addUpdate.click()
    await pray.updateText.fill(textFor('UpdateWhilePraying'))
    await pray.saveUpdate.click()
    await pray.answered.click()
    await pray.answer.fill(textFor('AnswerWhilePraying'))
    await page.keyboard.press('Control+Enter')
    await pray.done.click()
    await answered.open()
    await answered.entry(anna).reopen.click()
    await dashboard.open()
    await prayer.linkTo(anna).click()
    await prayer.addUpdate.click()
    await prayer.newUpdate.fill(textFor('Update'))
    await prayer.saveUpdate.click()
    await expect(prayer.newUpdate).toBeHidden()
    await prayer.answered.click()
    await prayer.root.getByRole('button', { name: 'Record answer' }).click()
    await answered.dialog.answer.fill(textFor('Answer'))
    await answered.dialog.save.click()
  })

  await test.step('a list, a shared text, a conflict, and a change that cannot be saved', async () => {
    await dashboard.open()
    await shareText(page, textFor('Shared'))
    await prayerDialog.root.getByRole('button', { name: 'Use it' }).click()
    await prayerDialog.name.fill(textFor('PersonOfShared'))
    await prayerDialog.category.selectOption(family)
    await prayerDialog.addButton.click()
    await card.addPrayer.click()
    await dashboard.addSeveralButton.click()
    await dashboard.addSeveral.list.fill(`${ben}: ${MARK}Former\n${MARK}Gone: ${MARK}Gone`)
    await dashboard.addSeveral.add.click()
    await expect(card.row(ben).root).toBeVisible()
    const elsewhere = await browser.newContext({ baseURL: proxy.url })
    const phone = screensOf(await elsewhere.newPage())
    await phone.authScreen.open()
    await phone.authScreen.signIn(user.email, user.password)
    await enterKey(phone.page, key)
    const cardOnPhone = phone.dashboard.card(family)

    await card.row(ben).edit.click()
    await prayerDialog.details.fill(textFor('Ours'))
    await cardOnPhone.row(ben).edit.click()
    await phone.dashboard.prayerDialog.details.fill(textFor('Theirs'))
    const saved = phone.page.waitForResponse((response) => response.request().method() === 'PATCH')
    await phone.dashboard.prayerDialog.updateButton.click()
    await saved
    await prayerDialog.updateButton.click()
    await expect(card.row(ben).root).toContainText('Theirs')

    await card.row(`${MARK}Gone`).edit.click()
    await prayerDialog.details.fill(`${MARK}Rejected`)
    const removed = phone.page.waitForResponse((response) => response.request().method() === 'DELETE')
    await cardOnPhone.row(`${MARK}Gone`).remove.click()
    await phone.dashboard.confirmDialog.confirm.click()
    await removed
    await prayerDialog.updateButton.click()
    await expect(navigation.couldNotBeSaved).toBeVisible()
    await settings.open('on-this-device')
    await page.getByRole('button', { name: 'Copy a report' }).click()
    const report = await page.evaluate(() => navigator.clipboard.readText())
    expect(report).toContain('Could not be saved: 1')
    expect(report).not.toContain(MARK)
    await elsewhere.close()
  })

  const emails = () => mailServer.emails.map(({ source }) => source)
  await test.step('a new password and a reminder, by email', async () => {
    await navigation.signOut()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await authScreen.forgotPassword.click()
    await authScreen.email.fill(user.email)
    await authScreen.sendResetLink.click()
    await expect.poll(emails).toHaveLength(1)
    await page.goto(linkIn(emails()[0] ?? '').href)
    await resetPassword.set('another quiet hour')
    await resetPassword.goToLogin.click()
    await authScreen.signIn(user.email, 'another quiet hour')
    await enterKey(page, key)
    await expect(card.root).toBeVisible()
    await settings.open('reminders')
    await page.getByRole('button', { name: 'Add a reminder' }).click()
    const soon = new Date(Date.now() + 120_000)
    const time = soon.toLocaleTimeString('en-GB', { timeZone: 'Europe/London', timeStyle: 'short' })
    await page.getByLabel('Time', { exact: true }).fill(time)
    await page.getByRole('checkbox', { name: /^Email/ }).check()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status').getByText('Reminder saved')).toBeVisible()
  })

  await test.step('an outage, an export and an import', async () => {
    await dashboard.open()
    await server.stop()
    await dashboard.addPrayer(family, textFor('Offline'), textFor('OfflineNote'))
    await expect(card.row(`${MARK}OfflineNote`).root).toBeVisible()
    // The reminder is due when it is back.
    await server.advanceClock(180)
    await server.start()
    await expect.poll(() => emails().join()).toContain('Time to pray')
    await yourData.open()
    const { text } = await yourData.saved(yourData.saveDataFile)
    for (const each of typed) expect(text).toContain(each)
    // With other ids, as from another account.
    const other = text.replaceAll(/"[0-9a-f]{8}-/g, '"00000000-').replaceAll(MARK, `${MARK}Imported`)
    await yourData.choose(other)
    await yourData.importButton.click()
    await expect(yourData.announced('and 1 category added')).toBeVisible()
    await dashboard.open()
    await expect(dashboard.card(family.replace(MARK, `${MARK}Imported`)).root).toContainText(
      `${MARK}ImportedOffline`,
    )
  })

  const encoded = emails().join('\n')
  const dump = await server.dump()
  await server.stop()
  const cluster = join(server.dataDir, 'postgres')
  /** Where nothing may be found, with something that each has to contain. */
  const places = {
    dump: [gunzipSync(await readFile(dump)).toString(), 'Plainword'],
    tables: [await contentsOf(join(cluster, 'base')), 'Plainword'],
    'write-ahead log': [await contentsOf(join(cluster, 'pg_wal')), 'Plainword'],
    files: [await contentsOf(server.dataDir), 'Plainword'],
    log: [server.log, '/rest/v1/rpc/'],
    emails: [encoded.replaceAll(/=\r?\n/g, ''), 'auth/v1/verify'],
    requests: [proxy.sent.map((sent) => Buffer.concat(sent).toString()).join('\n'), user.email],
  }
  await rm(dump)
  for (const [place, [text = '', control = '']] of Object.entries(places)) {
    expect.soft(text.includes(control), `${place}: contains ${control}`).toBe(true)
    expect.soft([...new Set(text.match(/xylophant\w*/gi))], place).toEqual([])
  }
})
