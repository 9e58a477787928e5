import type { Pool } from 'pg'
import type { Random } from '#tests/faults/random.ts'
import type { Row, TableName } from '#web/sync/schema.ts'
import { isKeyNeeded } from '#web/sync/sealing/account-state.ts'
import { makePrayerKey } from '#web/sync/sealing/prayer-key.ts'
import { openRow } from '#web/sync/sealing/row-texts.ts'
import { deriveKeys } from '#web/sync/sealing/sealed-text.ts'
import type { Tab, UserActions } from './device.ts'

interface EncryptionUserOptions {
  userId: string
  random: Random
  log: (line: string) => void
  /** Moves one request on, if there is one. */
  advance: () => Promise<void>
}

/** Someone who encrypts the account at random, and knows all prayer keys that it has had. */
export interface EncryptionUser {
  /** Turns encryption on or off, or makes another key. */
  change: (tab: Tab) => Promise<void>
  /** Does what a tab asks for: enters a key, or agrees. */
  answer: (tab: Tab) => Promise<void>
  /** The rows as they were typed. */
  open: (pool: Pool, table: TableName, rows: readonly Row[]) => Promise<readonly Row[]>
}

export function createEncryptionUser({
  userId,
  random,
  log,
  advance,
}: EncryptionUserOptions): EncryptionUser {
  const prayerKeys: string[] = []
  /** A step that does not follow from the state of the account is refused, as when another device was faster. */
  const act = async (tab: Tab, action: (account: UserActions) => Promise<unknown>) => {
    let isDone = false
    void tab
      .encryption()
      .then(action)
      .catch((error: unknown) => log(`refused: ${String(error)}`))
      .finally(() => (isDone = true))
    while (!isDone) {
      await advance()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const begin = async (tab: Tab) => {
    const prayerKey = await makePrayerKey()
    prayerKeys.push(prayerKey)
    await act(tab, (account) => account.begin(prayerKey))
  }
  return {
    change: async (tab) => {
      const { state } = tab.sync.status().encryption
      log(`change encryption: ${state}`)
      if (state === 'on' && random.below(2) === 0) await act(tab, (account) => account.turnOff())
      else if (state === 'on' || state === 'off') await begin(tab)
    },
    answer: async (tab) => {
      const { state, replacing } = tab.sync.status().encryption
      const hasPlainTexts = replacing?.isWaiting === true
      if (state === 'off' || (state === 'on' && !hasPlainTexts)) return
      log(`answer: ${state}`)
      await act(tab, async (account) => {
        if (state === 'on') await account.sealPlainTexts(await account.findPlainTexts())
        if (state === 'turned-off' || state === 'unproven') await account.goOnWithout()
        if (state === 'restored') await account.encryptAgain()
        if (isKeyNeeded({ state }))
          for (const prayerKey of prayerKeys) if ((await account.enter(prayerKey)) === 'current') return
      })
    },
    open: async (pool, table, rows) => {
      const query = 'select key_id from public.encryption_keys where user_id = $1'
      const found = await pool.query<{ key_id: string }>(query, [userId])
      const open = async (row: Row): Promise<Row> => {
        const owner = row['prayer_id']
        const place = table === 'prayer_updates' && typeof owner === 'string' ? owner : row.id
        for (const { key_id } of found.rows)
          for (const prayerKey of prayerKeys) {
            const keys = new Map([[key_id, await deriveKeys(prayerKey, userId, key_id)]])
            const opened = await openRow(keys, table, place, row)
            if (!JSON.stringify(opened).includes('cannot be read'))
              return { ...opened, id: row.id, rev: row.rev }
          }
        return row
      }
      return Promise.all(rows.map(open))
    },
  }
}
