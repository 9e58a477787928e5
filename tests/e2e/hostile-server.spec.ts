import type { BrowserContext, Page, Route } from '@playwright/test'
import { isRecord } from '#shared/is-record.ts'
import type { ConsoleWatch } from './fixtures/console-watch.ts'
import { enterKey, makeKey, sentBy, WORDS } from './fixtures/prayer-key.ts'
import { textOnDevice } from './fixtures/text-on-device.ts'
import type { User } from './fixtures/user.ts'
import { type Screens, screensOf } from './screens/screens.ts'
import { expect, test as base } from './test.ts'

type Row = Readonly<Record<string, unknown>>
/** What the server says in place of the rows of a table; of one row, if one was asked for. */
type Answer = { rows: (rows: readonly Row[]) => readonly Row[] } | { status: number; json: Row }
/** By the last part of the path of a request. */
type Answers = Readonly<Record<string, Answer>>

const KEYS = 'encryption_keys'
const STATE = 'sync_state'
const NONE: Answer = { rows: () => [] }

const rows = (change: (row: Row) => Row): Answer => ({ rows: (all) => all.map(change) })
const keyRows = (fields: Row) => ({ [KEYS]: rows((row) => ({ ...row, ...fields })) })
const state = (fields: Row) => ({ [STATE]: rows((row) => ({ ...row, ...fields })) })
const failure = (status: number, code: string): Answer => ({
  status,
  json: { code, error_code: code, message: 'No' },
})

/** A server whose answers a test can change, in front of the real one. */
class HostileServer {
  answers: Answers = {}

  constructor(context: BrowserContext) {
    void context.route(/\/(?:rest|auth)\/v1\//, (route) => this.#respond(route))
  }

  async #respond(route: Route): Promise<void> {
    const answer = this.answers[new URL(route.request().url()).pathname.split('/').at(-1) ?? '']
    if (!answer) return route.fallback()
    if ('status' in answer) return route.fulfill(answer)
    const response = await route.fetch()
    const json: unknown = response.ok() && response.status() !== 204 ? await response.json() : null
    if (Array.isArray(json)) return route.fulfill({ response, json: answer.rows(json.filter(isRecord)) })
    return route.fulfill({ response, ...(isRecord(json) && { json: answer.rows([json])[0] }) })
  }
}

interface Encrypted {
  key: string
  hostile: HostileServer
  sent: readonly string[]
}

/** Encrypts the account of a user; then the server becomes hostile. */
async function encrypt(
  page: Page,
  user: User,
  dashboard: Screens['dashboard'],
  consoleWatch: ConsoleWatch,
): Promise<Encrypted> {
  consoleWatch.announceFailingServer()
  consoleWatch.announce(/^status (?:40[01349]|412|50[03]): \/(?:rest|auth)\/v1\//)
  await user.addCategory('Wanderlust', { name: 'Zebedee', note: 'Quince' })
  await dashboard.open()
  await expect(dashboard.card('Wanderlust').row('Zebedee').root).toBeVisible()
  const sent = sentBy(page.context())
  const key = await makeKey(page, user)
  await expect.poll(async () => JSON.stringify(await user.storedRows())).not.toMatch(WORDS)
  return { key, hostile: new HostileServer(page.context()), sent }
}

/** Expects the words on another device, to which the server tells the truth, and sealed texts in the database. */
async function expectWords(page: Page, user: User, key: string, words: readonly string[]) {
  const other = screensOf(page)
  await other.authScreen.open()
  await other.authScreen.signIn(user.email, user.password)
  await enterKey(page, key)
  await expect(other.dashboard.card('Wanderlust').row('Zebedee').root.first()).toBeVisible()
  const missing = async () => {
    const text = await textOnDevice(page)
    return words.filter((word) => !text.includes(word))
  }
  await expect.poll(missing).toEqual([])
  expect(JSON.stringify(await user.storedRows())).not.toMatch(WORDS)
}

const test = base.extend<{
  account: Encrypted
  expectOnOtherDevice: (words: readonly string[]) => Promise<void>
}>({
  account: async ({ page, user, dashboard, consoleWatch }, use) =>
    use(await encrypt(page, user, dashboard, consoleWatch)),
  expectOnOtherDevice: async ({ browser, baseURL, user, account: { key, sent } }, use) => {
    const context = await browser.newContext(baseURL ? { baseURL } : {})
    await use(async (words) => {
      await expectWords(await context.newPage(), user, key, words)
      expect(sent.join()).not.toMatch(WORDS)
    })
    await context.close()
  },
})

interface Lie {
  name: string
  answers: Answers
  /** What the user is told; null if the device can go on, or has to wait. */
  title: string | null
}

/** One for each title, and two without. */
const LIES: readonly Lie[] = [
  { name: 'the account was never encrypted', answers: state({ key: 'none.0' }), title: null },
  { name: 'there are no keys of accounts', answers: { [KEYS]: failure(404, 'PGRST205') }, title: null },
  {
    name: 'there is no key, and the account was never encrypted',
    answers: { ...state({ key: 'none.0' }), [KEYS]: NONE },
    title: 'The server was restored to an earlier time',
  },
  {
    name: 'it was turned off',
    answers: keyRows({ state: 'off' }),
    title: 'Nothing is being saved on the server',
  },
  {
    name: 'the key was given up',
    answers: keyRows({ state: 'abandoned', counter: 9, proof: null }),
    title: 'The server says that your account is not encrypted any more',
  },
  {
    name: 'there is a later key',
    answers: {
      [KEYS]: {
        rows: (all) => [...all, ...all.map((row) => ({ ...row, key_id: 'A'.repeat(16), counter: 9 }))],
      },
    },
    title: 'Enter your prayer key',
  },
]

test('a server that lies about the account gets nothing that is typed, and all of it sealed when it tells the truth', async ({
  page,
  user,
  dashboard,
  prayer,
  account: { hostile, sent },
  expectOnOtherDevice,
}) => {
  const typed: string[] = []
  await dashboard.open()
  for (const [index, { name, answers, title }] of LIES.entries())
    await test.step(name, async () => {
      const number = String(index + 10)
      const texts = ['Zebedee', 'Quince', 'Marigold', 'Pemberley', 'Fandango'].map((word) => word + number)
      const [person = '', note = '', newNote = '', update = '', answer = ''] = texts
      const expectTitle = async () => {
        if (title !== null)
          await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
      }
      hostile.answers = answers
      // The page still knows better.
      await dashboard.addPrayer('Wanderlust', person, note)
      await expect(dashboard.prayerDialog.root).toBeHidden()
      const isTold = () =>
        page.waitForResponse((response) =>
          Object.keys(answers).some((part) => response.url().includes(`/${part}`)),
        )
      const told = isTold()
      await page.reload()
      await told
      await expectTitle()
      await prayer.linkTo(person).click()
      await expect(prayer.root).toContainText(note)
      const toldAgain = isTold()
      await prayer.addUpdate.click()
      await prayer.newUpdate.fill(update)
      await prayer.saveUpdate.click()
      const shown = [person, note, update]
      // Everything that is typed goes the same way: the other forms are tried once.
      if (index === LIES.length - 1) {
        await prayer.edit.click()
        await prayer.prayerDialog.details.fill(newNote)
        await prayer.prayerDialog.updateButton.click()
        await expect(prayer.prayerDialog.root).toBeHidden()
        await prayer.answered.click()
        await prayer.root.getByRole('button', { name: 'Record answer' }).click()
        await page.getByLabel('How was it answered?').fill(answer)
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
        shown.splice(1, 1, newNote, answer)
      }
      await toldAgain
      await expectTitle()
      for (const text of shown) await expect(prayer.root).toContainText(text)
      expect(sent.join()).not.toMatch(WORDS)
      typed.push(...shown)
      await prayer.back.click()
    })

  // What has been kept on the device is sent by the next page.
  hostile.answers = {}
  await page.reload()
  await expect.poll(async () => (await user.updates()).length).toBe(LIES.length)
  await expectOnOtherDevice(typed)
})

const UNREADABLE = 'This text cannot be read with your prayer key'
const NOT_ENCRYPTED = 'Not encrypted'

/** What becomes of a prayer, and what shows in place of its note. */
const FORGERIES: readonly { name: string; forge: (row: Row) => Row; shown: string }[] = [
  { name: 'the name as the note', forge: ({ person_name: note }) => ({ note }), shown: UNREADABLE },
  { name: 'a plain text', forge: () => ({ note: 'Gullible' }), shown: 'Gullible' },
]

test('a server that forges texts moves none to another place, and gets none that it has not sent', async ({
  page,
  user,
  dashboard,
  prayer,
  account: { hostile, sent },
  expectOnOtherDevice,
}) => {
  const [former] = await user.prayers()
  const texts = FORGERIES.map(({ name, shown }, index) => {
    const numbered = (word: string) => word + String(index + 10)
    return {
      person: numbered('Zebedee'),
      newName: numbered('Marigold'),
      note: numbered('Quince'),
      update: numbered('Fandango'),
      name,
      shown,
    }
  })
  // The first prayer after the former one gets the first forgery, and so on.
  const ids: unknown[] = []
  hostile.answers = {
    prayers: rows((row) => {
      const { id, note } = row
      if (note === former?.note) return row
      if (!ids.includes(id)) ids.push(id)
      return { ...row, ...FORGERIES[ids.indexOf(id)]?.forge(row) }
    }),
  }
  await dashboard.open()
  const rowOf = (person: string) => dashboard.card('Wanderlust').row(person).root
  for (const { person, note, name, shown } of texts) {
    await dashboard.addPrayer('Wanderlust', person, note)
    await expect(rowOf(person), name).toContainText(shown)
  }
  await page.reload()
  for (const { person, shown } of texts) {
    await expect(rowOf(person)).toContainText(shown)
    await expect(rowOf(person).getByText(NOT_ENCRYPTED)).toHaveCount(shown === UNREADABLE ? 0 : 1)
  }
  for (const { person, update, shown } of texts) {
    await prayer.linkTo(person).click()
    await prayer.addUpdate.click()
    await prayer.newUpdate.fill(update)
    await prayer.saveUpdate.click()
    await expect(prayer.root).toContainText(update)
    await expect(prayer.root).toContainText(shown)
    await expect(prayer.root.getByText(NOT_ENCRYPTED)).toHaveCount(shown === UNREADABLE ? 0 : 1)
    await prayer.back.click()
  }
  await expect.poll(async () => user.updates()).toHaveLength(texts.length)

  hostile.answers = {}
  await page.reload()
  for (const { person, newName, note, update } of texts) {
    await prayer.linkTo(person).click()
    await prayer.edit.click()
    await prayer.prayerDialog.name.fill(newName)
    await prayer.prayerDialog.updateButton.click()
    await expect(prayer.title).toHaveText(newName)
    await expect(prayer.root).toContainText(note)
    await expect(prayer.root).toContainText(update)
    await prayer.back.click()
  }
  await expectOnOtherDevice(texts.flatMap(({ newName, note, update }) => [newName, note, update]))
  expect(sent.join()).not.toContain('Gullible')
})

test('a server that says that the account was deleted cannot make the device forget that it was encrypted', async ({
  page,
  user,
  authScreen,
  dashboard,
  account: { key, hostile, sent },
}) => {
  hostile.answers = {
    [STATE]: NONE,
    user: failure(403, 'user_not_found'),
    token: failure(400, 'refresh_token_revoked'),
  }
  await dashboard.open()
  await expect(page.getByText('Your account has been deleted')).toBeVisible()
  hostile.answers = { ...state({ key: 'none.0' }), [KEYS]: NONE }
  await authScreen.signIn(user.email, user.password)
  await expect(page.getByRole('heading', { name: 'Enter your prayer key' })).toBeVisible()
  hostile.answers = {}
  await enterKey(page, key)
  await dashboard.addPrayer('Wanderlust', 'Pemberley', 'Fandango')
  await expect.poll(async () => user.prayers()).toHaveLength(2)
  expect(JSON.stringify(await user.storedRows()) + sent.join()).not.toMatch(WORDS)
})
