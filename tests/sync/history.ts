import type { Pool } from 'pg'
import { type Random, createRandom } from '#tests/faults/random.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import type { TestServer } from '#tests/support/server.ts'
import { withoutHeading } from '#web/data/prayers.ts'
import { TABLES } from '#web/data/tables.ts'
import { type Row, type TableName, tablesOf } from '#web/sync/schema.ts'
import { FEW_ROWS } from '#web/sync/sync-engine.ts'
import { backUp, restore, type UserBackup } from './backup.ts'
import type { CreateDevice, Device, Tab } from './device.ts'
import { createEncryptionUser } from './encryption-user.ts'
import { createNetwork } from './network.ts'
import { createPrayedDays, type PrayedDay } from './prayed-days.ts'
import { createRestoredFields } from './restored-fields.ts'
import { createUser } from './user.ts'
import { createWords } from './words.ts'

const START = Date.parse('2026-03-01T09:00:00Z')
const DAY_MS = 24 * 60 * 60 * 1000
/** Rounds of every tab at the end. The last one only has to read what other tabs have stored in the one before. */
const FINAL_ROUNDS = 5
/** Of the event loop, within which every tab has done what it can without a response. */
const TURNS = 200
/** A change is set aside after five faults in a row. */
const ROUNDS_TO_SET_ASIDE = 6

/** What a seed decides. The first three have all of it, with and without, and so have any five in a row. */
function kindOf(seed: number) {
  return {
    hasLocks: seed % 2 === 0,
    hasChannel: seed % 3 > 0,
    hasManyUpdates: seed % 5 === 2,
    deviceCount: seed % 3 === 0 ? 3 : 2,
    /** Whether hundreds of changes wait at some time. */
    hasManyChanges: seed % 3 === 1,
    /** Whether the account is encrypted at times, with one key or another. */
    isEncrypted: Math.floor((seed + 2) / 4) % 2 === 1,
    /** How often the server is restored from a backup. */
    restoreCount: seed % 4 > 1 ? 1 + (seed % 2) : 0,
  }
}

const FIRST_SEED = Number(process.env['HISTORY_SEED'] ?? 1)

/** Runs random histories, and resolves to what is wrong at their ends: nothing if the text is empty. */
export async function runHistories(
  server: TestServer,
  count: number,
  createDevice: CreateDevice,
): Promise<string> {
  const failures: string[] = []
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count && failures.length < 3; seed += 1) {
    const log: string[] = []
    const mistakes = await runHistory(server, createDevice, seed, (line) => log.push(line)).catch(
      (error: unknown) => {
        throw new Error(`HISTORY_SEED=${String(seed)}`, { cause: error })
      },
    )
    // For a single history, everything that happened.
    if (mistakes.length > 0)
      failures.push([`HISTORY_SEED=${String(seed)}`, ...mistakes, ...(count === 1 ? log : [])].join('\n'))
  }
  return failures.join('\n\n')
}

/** Runs a random history on a user of its own, and resolves to what is wrong at its end. */
async function runHistory(
  server: TestServer,
  createDevice: CreateDevice,
  seed: number,
  log: (line: string) => void,
): Promise<readonly string[]> {
  const history = await startHistory(server, createDevice, seed, log)
  try {
    await history.live()
    return await history.settle()
  } finally {
    await history.end()
  }
}

async function startHistory(
  server: TestServer,
  createDevice: CreateDevice,
  seed: number,
  log: (line: string) => void,
) {
  const random = createRandom(seed)
  const { restoreCount, deviceCount, hasManyUpdates, hasManyChanges, isEncrypted, ...browser } = kindOf(seed)
  const isRestored = restoreCount > 0
  log(JSON.stringify(kindOf(seed)))
  const pool = server.database.pool
  const ids: string[] = []
  const newId = () => {
    const id = uuid(random)
    ids.push(id)
    return id
  }
  const userId = newId()
  await pool.query('insert into auth.users (id, email) values ($1, $2)', [userId, `${userId}@example.org`])
  // To make a prayer key, users must have signed in lately, by the clock of the database.
  const amr = [{ method: 'password', timestamp: Math.floor(Date.now() / 1000) }]
  const token = await accessTokenFor(server.services, userId, { amr })

  let seconds = 0
  const words = createWords(TABLES)
  const prayedDays = createPrayedDays()
  const restoredFields = createRestoredFields()
  const network = createNetwork({
    app: server.app,
    headers: { apikey: server.services.keys.anonKey, authorization: `Bearer ${token}` },
    random,
    log,
    onCall: prayedDays.arrive,
    onDelay: (delay) => (seconds += delay),
  })
  const createRandomDevice = async () => {
    const clockError = random.pick([0, 0, 0, 3650, -3650]) * DAY_MS
    const now = () => new Date(START + clockError + seconds * 1000)
    const losesMessage = () => random.below(8) === 0
    return createDevice({ userId, network, newId, now, losesMessage, isEncrypted, ...browser })
  }
  // Others are new: they have no row, and their numbers have not begun.
  if (isRestored && random.below(2) === 0)
    await pool.query(
      `insert into public.categories (id, user_id, name, "order") values ($1, $2, 'First', 1)`,
      [newId(), userId],
    )
  const areUpdatesFirst = random.below(2) === 0
  if (hasManyUpdates && areUpdatesFirst) await importUpdates(pool, userId, newId, random)
  const devices: [Device, ...Device[]] = [await createRandomDevice()]
  while (devices.length < deviceCount) devices.push(await createRandomDevice())
  for (const device of devices) await device.open()

  const tabs = () => devices.flatMap((device) => device.tabs)
  const quiet = async () => {
    for (const device of devices) await device.quiet()
    // A tab that waits may have something else to do. It is done by then, however long the server takes.
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  /** Runs a round on a network without faults. */
  const syncTab = async (tab: Tab) => {
    tab.startSync()
    await quiet()
    while (network.isBusy()) {
      await network.advance(true)
      await quiet()
    }
  }
  const syncAll = async () => {
    for (const tab of tabs()) await syncTab(tab)
  }
  if (hasManyUpdates) {
    await syncAll()
    if (!areUpdatesFirst) await importUpdates(pool, userId, newId, random)
    // A device that has many updates reads them after its first screen.
    for (const device of devices) {
      if (random.below(4) === 0) continue
      await device.tabs[0]?.kill()
      await device.open()
    }
  }

  const encryption = createEncryptionUser({
    userId,
    random,
    log,
    advance: async () => {
      await quiet()
      if (network.isBusy()) await network.advance(true)
    },
  })
  const user = createUser({
    userId,
    random,
    words,
    prayedDays,
    onChange: restoredFields.add,
    newId,
    lastIds: (count) => ids.slice(-count),
    now: () => new Date(START + seconds * 1000).toISOString(),
    log,
  })
  const changeAnything = async (tab: Tab) => {
    const choice = random.below(16)
    if (random.below(4) === 0 && (await user.retype(tab))) return
    if (choice === 15) return user.addSeveral(tab)
    if (choice === 14) return user.moveMany(tab)
    if (choice < 3) return user.changeCategories(tab)
    if (choice < 6) return user.changePrayers(tab)
    if (choice < 8) return user.changeUpdates(tab)
    return choice < 11 ? user.changeAnswers(tab) : user.pray(tab)
  }
  const changeMuch = async (tab: Tab) => {
    for (let lists = 0; lists < 3; lists += 1) {
      await user.addSeveral(tab)
      if (random.below(2) === 0) await user.moveMany(tab)
      if (random.below(2) === 0) await changeAnything(tab)
    }
  }
  const changeEncryption = async (tab: Tab) => {
    if (random.below(2) === 0) await encryption.answer(tab)
    else await encryption.change(tab)
  }
  const step = async (device: Device, tab: Tab, choice: number) => {
    if (choice < 50) return network.isBusy() ? network.advance(false) : tab.startSync()
    if (choice < 60) return tab.startSync()
    if (choice < 63) return tab.sync.refresh()
    if (choice < 66) return network.deliverLate()
    if (choice < 69) return user.decide(tab)
    if (choice < 70) return void (network.isServerUp = !network.isServerUp)
    if (choice < 71) return void (network.losesRows = !network.losesRows)
    if (choice < 73) {
      // Without space on the disk, only the server has what was changed: then a backup may not bring it back.
      device.storesFailingWrites = isRestored || random.below(2) === 0
      device.failingWrites = random.below(3)
      return
    }
    if (choice < 76) return tab.kill()
    if (choice < 77) return void (device.tabs.length < 2 && (await device.open()))
    if (choice < 78) return tab.stopWaiting()
    // A restored server gets from devices what it has lost: then they must still have it. To store it again, they need space.
    if (choice < 79) return isRestored || device.failingWrites > 0 ? undefined : device.deleteSiteData()
    // The server fails with what was changed last, until the change is set aside.
    network.faultyRow = user.lastRow()
    for (let round = 0; round < ROUNDS_TO_SET_ASIDE; round += 1) await syncTab(tab)
    if (random.below(2) === 0) network.faultyRow = null
  }
  const backups: { stored: UserBackup; fields: ReturnType<typeof restoredFields.backUp> }[] = []
  let restored = 0
  const backUpAll = async () => {
    // Before an account has its first row, devices cannot tell a restore from a beginning.
    if ((await pool.query('select from public.sync_state where user_id = $1', [userId])).rowCount === 0)
      return
    log(`make backup ${String(backups.length)}`)
    backups.push({ stored: await backUp(pool, userId), fields: restoredFields.backUp(await allRows()) })
  }
  /** Of two restores, the second may be of the same backup as the first one, of an older or of a newer one. */
  const restoreAny = async () => {
    const chosen = random.below(backups.length)
    const backup = backups[chosen]
    if (!backup) return
    log(`restore backup ${String(chosen)}`)
    for (const device of devices) if (device.tabs.length === 0) await device.open()
    await quiet()
    const contents = await Promise.all(devices.map((device) => device.stored()))
    restoredFields.restore(backup.fields, contents)
    words.restore(await allRows())
    restored += 1
    await restore(pool, userId, backup.stored, restored)
  }
  /** Before which changes a backup is made, and after which the server is restored: first one backup, then one of each for a second restore. */
  const planRestores = (changes: number) => {
    const numbers = Array.from({ length: 2 * restoreCount }, () => random.below(changes)).toSorted(
      (a, b) => a - b,
    )
    const [backUpAt, restoreAt] = [new Set<number>(), new Set<number>()]
    for (const [index, number] of numbers.entries()) (index % 2 === 0 ? backUpAt : restoreAt).add(number)
    return { backUp: (made: number) => backUpAt.has(made), restore: (made: number) => restoreAt.has(made) }
  }
  return {
    live: async () => {
      const changes = 1 + random.below(30)
      const isAt = planRestores(changes)
      const manyAt = hasManyChanges ? random.below(changes) : null
      for (let made = 0; made < changes;) {
        const device = random.pick(devices)
        const tab = device.tabs[random.below(device.tabs.length)] ?? (await device.open())
        const choice = random.below(100)
        if (choice < 80) await step(device, tab, choice)
        else {
          if (isAt.backUp(made)) await backUpAll()
          // What is changed then waits.
          if (isAt.restore(made) && random.below(2) === 0) network.isServerUp = false
          if (made === manyAt) await changeMuch(tab)
          else await changeAnything(tab)
          if (isEncrypted && network.isServerUp && random.below(4) === 0) await changeEncryption(tab)
          if (random.below(2) === 0) tab.startSync()
          made += 1
        }
        await quiet()
        if (isRestored && choice >= 80 && isAt.restore(made - 1)) {
          await restoreAny()
          network.isServerUp = true
        }
      }
    },
    settle: async () => {
      network.isServerUp = true
      network.faultyRow = null
      network.losesRows = false
      log('the network is healthy')
      for (const device of devices) {
        device.failingWrites = 0
        if (device.tabs.length === 0) await device.open()
      }
      for (let round = 0; round < FINAL_ROUNDS; round += 1) {
        await network.deliverLate()
        await syncAll()
        for (const tab of isEncrypted ? tabs() : []) await encryption.answer(tab)
      }
      return findMistakes()
    },
    end: async () => {
      for (const device of devices) await device.discard()
    },
  }

  async function findMistakes(): Promise<readonly string[]> {
    const rows = await allRows()
    const contents = await Promise.all(devices.map((device) => device.stored()))
    const rejected = contents.flatMap((each) => each.rejected)
    const mistakes = words.missing(rows, rejected).map((missing) => `missing: ${missing}`)
    const texts = textsIn(rows)
    const doubled = texts.filter((text, index) => texts.indexOf(text) !== index)
    // Of two devices that send a restored server what it lacks at the same moment, one may have reopened the prayer and the other not.
    const isWrong = (text: string) => !user.isTypedTwice(text) && !(isRestored && user.hasMoved(text))
    mistakes.push(...doubled.filter(isWrong).map((text) => `twice: ${text}`))
    mistakes.push(...restoredFields.mistakes(rows, [...rejected, ...user.decided()]))
    // A restored server has lost the prayed days as well, which no device has.
    if (!isRestored) mistakes.push(...prayedDays.mistakes(rows.prayers, await readPrayedDays(), rejected))
    for (const table of tablesOf(TABLES)) {
      const expected = JSON.stringify(rows[table])
      const compare = (where: string, given: readonly Row[]) => {
        const found = JSON.stringify(given.map(sortedFields).toSorted(byId))
        if (found !== expected)
          mistakes.push(`${where} has other ${table}:\n${found}\nthan the server:\n${expected}`)
      }
      for (const [index, device] of devices.entries()) {
        const name = `device ${String(index + 1)}`
        for (const tab of device.tabs) compare(`a tab of ${name}`, tab.sync.rows(table))
        const stored = contents[index]?.rows.filter((each) => each.table === table) ?? []
        compare(
          `the storage of ${name}`,
          stored.map(({ row }) => row),
        )
      }
    }
    for (const [index, { outbox }] of contents.entries())
      if (outbox.length > 0)
        mistakes.push(`device ${String(index + 1)} still has ${String(outbox.length)} changes`)
    for (const tab of tabs()) {
      const { waiting, error, complete } = tab.sync.status()
      if (waiting > 0 || error || !complete)
        mistakes.push(`a tab still has ${String(waiting)} changes, ${String(error)}`)
    }
    return mistakes
  }
  async function allRows() {
    return {
      categories: await rowsOf('categories'),
      prayers: await rowsOf('prayers'),
      prayer_updates: await rowsOf('prayer_updates'),
    }
  }
  async function readPrayedDays(): Promise<readonly PrayedDay[]> {
    const query = 'select prayer_id, day::text from public.prayed_days where user_id = $1 order by day'
    return (await pool.query<PrayedDay>(query, [userId])).rows
  }
  async function rowsOf(table: TableName): Promise<readonly Row[]> {
    const query = `select to_jsonb(t) as row from public.${table} t where user_id = $1`
    const { rows } = await pool.query<{ row: Row }>(query, [userId])
    const opened = await encryption.open(
      pool,
      table,
      rows.map(({ row }) => row),
    )
    return opened.map(sortedFields).toSorted(byId)
  }
}

/** Adds more updates than the app reads before its first screen, in one transaction: they have the same revision. */
async function importUpdates(pool: Pool, userId: string, newId: () => string, random: Random): Promise<void> {
  const categoryId = newId()
  const prayerIds = Array.from({ length: 1 + random.below(4) }, newId)
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into public.categories (id, user_id, name, "order") values ($1, $2, 'Imported', 2)`,
      [categoryId, userId],
    )
    await client.query(
      `insert into public.prayers (id, user_id, category_id, person_name)
       select id, $2, $3, 'Imported' from unnest($1::uuid[]) id`,
      [prayerIds, userId, categoryId],
    )
    await client.query(
      `insert into public.prayer_updates (id, user_id, prayer_id, body, created_at)
       select md5($2::uuid::text || n)::uuid, $2::uuid, ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'imported ' || n,
         timestamptz '2025-01-01' + n / 3 * interval '1 hour'
       from generate_series(1, $3::integer) n`,
      [prayerIds, userId, FEW_ROWS + 1 + random.below(300)],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** The texts of all prayers: each was typed once. */
function textsIn(rows: Readonly<Record<TableName, readonly Row[]>>): readonly string[] {
  const fields = [
    ...rows.prayers.flatMap(({ note, answer }) => [note, answer]),
    ...rows.prayer_updates.map(({ body }) => body),
  ]
  return fields.flatMap((text) => (typeof text === 'string' ? withoutHeading(text) : []))
}

function byId(a: Row, b: Row): number {
  return a.id < b.id ? -1 : 1
}

/** With the fields in alphabetical order, to be compared as text. */
function sortedFields(row: Row): Row {
  const entries = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { id: row.id, rev: row.rev, ...Object.fromEntries(entries) }
}

function uuid(random: Random): string {
  const digits = (count: number) =>
    Array.from({ length: count }, () => random.below(16).toString(16)).join('')
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`
}
