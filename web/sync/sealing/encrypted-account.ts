import { parse } from 'valibot'
import { isRecord } from '#shared/is-record.ts'
import type { Json } from '#shared/database.types.ts'
import { UserError } from '#web/lib/error-message.ts'
import { TRANSFER_TIMEOUT_MS } from '#web/lib/fetch-with-timeout.ts'
import { fieldsOf } from '../change.ts'
import type { TableName, Values } from '../schema.ts'
import { connect, dataOf, RequestError } from '../server.ts'
import {
  accountState,
  isActive,
  isKeyNeeded,
  isProven,
  type KeyRow,
  keyRows,
  keysGivenUp,
} from './account-state.ts'
import {
  type EncryptionOptions,
  type EncryptionStatus,
  isUserNeeded,
  plainColumns,
  stateBefore,
  UNREADABLE,
  USER_NEEDED,
} from './encryption-status.ts'
import { keyParts, namingKey, NEVER_ENCRYPTED, BLOCKING_STATES, urlOf } from './remembered.ts'
import { makeKeyId, parsePrayerKey } from './prayer-key.ts'
import {
  mapRows,
  openRow,
  SEALED_TABLES,
  sealedColumns,
  sealRow,
  TextRefused,
  unsealedColumns,
} from './row-texts.ts'
import { claimsSealed, deriveKeys, keyIdOf, type Keys, proofOf } from './sealed-text.ts'
import { createStoredTexts, type Replacing, takeSome, type TextPlace } from './stored-texts.ts'

/** What the user can do about the encryption of the account. Nearly all needs the server, and rejects if it refuses. */
export interface EncryptedAccount {
  status: () => EncryptionStatus
  send: typeof fetch
  /** Opens the response of a request that was sent before the account was known to be encrypted. */
  receive: (input: RequestInfo | URL, response: Response) => Promise<Response>
  check: () => Promise<void>
  learn: (key: string) => Promise<void>
  replaceTexts: (isTimeUp: () => boolean) => Promise<boolean>
  idKey: () => Uint8Array | null
  keyIds: () => string
  /** Begins to seal all texts with a new prayer key: the first one, or in place of another. Needs a recent sign-in. */
  begin: (prayerKey: string) => Promise<void>
  /**
   * Takes a prayer key as it was typed: the current one, or an earlier one, which opens what is still sealed with it. Resolves to `earlier`
   * if the current one is needed as well; null if the account has never had this key.
   */
  enter: (typed: string) => Promise<'current' | 'earlier' | null>
  /**
   * Tells which prayer key of the account this is, as it was typed; null if it is none, or an earlier one in a page that has not reached the
   * server. Does not need it.
   */
  recognize: (typed: string) => Promise<'current' | 'earlier' | null>
  /** Begins to replace all texts by what was typed. */
  turnOff: () => Promise<void>
  /** The user has agreed to send texts as they are typed, because encryption was turned off elsewhere. */
  goOnWithout: () => Promise<void>
  /**
   * The server was restored to an earlier state: encrypts the account again, with the key of this device. Needs a recent sign-in if the
   * server has lost that key.
   */
  encryptAgain: () => Promise<void>
  /** The user has agreed that what only keys could open that were given up elsewhere, as far as is known, is deleted here, too. */
  acceptDeletion: () => Promise<void>
  /** What this device shows of the texts that the server has plain although they are to be sealed. They may not be the user's. */
  findPlainTexts: () => Promise<readonly PlainText[]>
  /** Seals these, unless the server has something else by now: only if the user asks for it. */
  sealPlainTexts: (found: readonly PlainText[], onProgress?: (rows: Progress) => void) => Promise<void>
  /** Adds rows under the ids that they have, with their texts sealed. */
  importRows: (rows: ImportedRows) => Promise<void>
  /** Gives up the keys in use that this device does not have, and deletes what only they can open. Needs a recent sign-in. */
  abandon: () => Promise<void>
}

/** A text of a row as the server has it. */
export interface PlainText extends TextPlace {
  text: string
}

/** How many rows have got their new form. */
interface Progress {
  done: number
  total: number
}

/** The rows of an import, with the ids that they get. */
interface ImportedRows {
  categories: readonly ImportedRow[]
  prayers: readonly (ImportedRow & { updates: readonly ImportedRow[]; prayed_days: readonly string[] })[]
}
type ImportedRow = { readonly id: string; readonly [column: string]: unknown }

/** PostgreSQL's code for a value that it refuses. */
const INVALID_VALUE = '22023'
/** The database's code if some texts do not have the form yet that a state asks for. */
const TEXTS_LEFT = 'IC003'
/** What one call of `import_sealed` is given, far below what it takes. */
const MAX_IMPORTED = { rows: Infinity, bytes: 5_000_000 }

const NOTHING_REMEMBERED = { key: NEVER_ENCRYPTED, counter: 0, proof: null, seals: false }

/** What is known of the account in this page. */
interface Known {
  state: EncryptionStatus['state']
  /** As the server names it; empty before it was asked. */
  key: string
  rows: readonly KeyRow[]
  /** The key with which texts are sealed, or were until it is turned off. */
  current: Keys | null
}

/** Opens what this device knows about the encryption of an account. */
export async function openEncryptedAccount(options: EncryptionOptions): Promise<EncryptedAccount> {
  const { userId, remembered, storage, url, received, waiting, onChange } = options
  const isSecure = 'subtle' in crypto
  const server = connect(url, options.send, null)
  const keys = new Map<string, Keys>()
  /** A key that was made in this page. It is kept once the server has it, also if the response that says so never arrives. */
  let made: Keys | null = null
  let replacing: Progress | null = null
  /** How many rows had to be replaced when this was last tried. */
  let leftBefore = Infinity

  const readKeys = async () => {
    // This page keeps what it had if the data of the site was deleted meanwhile.
    for (const each of await storage.readKeys()) keys.set(each.keyId, each)
  }
  await readKeys()
  let known: Known = {
    state: stateBefore(remembered.get(), keys.size > 0),
    key: '',
    rows: [],
    current: null,
  }
  const setKnown = (next: Known) => {
    known = next
    if (next.state !== 'on' && next.state !== 'ending') replacing = null
    onChange()
  }
  /** The latest first. */
  const fetchRows = async () => {
    const request = server.from('encryption_keys').select('key_id,state,counter,proof').eq('user_id', userId)
    return parse(keyRows, await dataOf(request)).toSorted((a, b) => b.counter - a.counter)
  }
  const rememberStop = (state: EncryptionStatus['state']) => {
    const asked = BLOCKING_STATES.find((each) => each === state)
    if (asked && !remembered.get()?.seals)
      remembered.set({ ...NOTHING_REMEMBERED, ...remembered.get(), asked })
  }
  /** Tells from the account's keys what may be sent. */
  const takeOver = async (rows: readonly KeyRow[]) => {
    await keepMade(rows)
    await readKeys()
    const current = rows.find(isActive)
    const state = await accountState(remembered.get(), rows, keys, { isSecure, hasRows: options.hasRows() })
    const key = `${current?.key_id ?? 'none'}.${String(rows[0]?.counter ?? 0)}`
    // Only what was proven is remembered; that an account is not encrypted needs no proof.
    if (!isUserNeeded({ state }) && (rows.length > 0 || remembered.get())) {
      const { counter = 0, proof = null } = current ?? {}
      remembered.set({
        ...remembered.get(),
        key,
        counter,
        proof,
        seals: state === 'on',
        asked: undefined,
        givenUp: givenUpIn(rows),
        entered: undefined,
      })
    } else rememberStop(state)
    if (state === 'off' && keys.size > 0) {
      await storage.deleteKeys()
      keys.clear()
    }
    setKnown({ state, key, rows, current: (current && keys.get(current.key_id)) ?? null })
  }
  const update = async () => takeOver(await fetchRows())
  let firstUpdate: Promise<void> | null = null
  const isSettled = () => !isUserNeeded(known)
  const requireSettled = () => {
    if (!isSettled()) throw new UserError(USER_NEEDED)
  }
  const check = async () => {
    // Another tab may know more.
    const { key = NEVER_ENCRYPTED, asked } = remembered.get() ?? {}
    const isNewer = key !== (known.key || null) || asked !== undefined
    if (!isSettled() || known.key === '' || isNewer) await update()
    requireSettled()
  }
  const learn = async (key: string) => {
    // The server has named a key that this device lacks: ask for it while the list of keys is still being fetched.
    if (keys.size === 0 && !remembered.get() && known.key === '' && keyParts(key).keyId !== null) {
      const state = isSecure ? 'key-needed' : 'insecure'
      rememberStop(state)
      firstUpdate = update()
      setKnown({ ...known, state })
      await firstUpdate
    } else if (key !== known.key || !isSettled()) await update()
    // Another tab may have got an earlier key.
    else await readKeys()
    requireSettled()
    // The keys were fetched after it was named: they cannot be older.
    if (keyParts(known.key).counter < keyParts(key).counter) throw new Error('The server contradicts itself.')
  }
  const placeOf = (table: TableName, id: string, fields: Values) => {
    if (table !== 'prayer_updates') return id
    // Also of an update that a waiting change deletes.
    const others: readonly (Values | undefined)[] = [received(table, id), ...waiting(table, id).map(fieldsOf)]
    const own = [fields, ...others]
      .map((each) => each?.['prayer_id'])
      .find((each) => typeof each === 'string')
    if (own === undefined) throw new Error('The prayer of the update is not known.')
    return own
  }
  const openRows = async (table: TableName, value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return mapRows(value, (each) => openRows(table, each))
    // In an account that was never encrypted, a text may look like anything.
    if (known.rows.length === 0 || !isFields(value)) return value
    const { plain: _plain, ...row } = value
    if (!sealedColumns(table).some((column) => typeof row[column] === 'string')) return row
    const isForeignHere = (column: string) => isForeign({ table, id: idOf(row), column })
    const plain = known.state === 'on' ? unsealedColumns(table, row).filter(isForeignHere) : []
    const opened = await openRow(keys, table, placeOf(table, idOf(row), row), row)
    return plain.length > 0 ? { ...opened, plain } : opened
  }
  const receive = async (input: RequestInfo | URL, response: Response) => {
    const table = tableOf(input)
    if (!table || !response.ok || response.status === 204) return response
    const text = await response.text()
    try {
      return new Response(JSON.stringify(await openRows(table, JSON.parse(text))), response)
    } catch (error) {
      // What is not from the data API is judged by its reader.
      if (error instanceof SyntaxError) return new Response(text, response)
      throw error
    }
  }
  /**
   * The body of a request, with its texts sealed if there is a key. Rejects with `TextRefused`, also if it has or would replace a text that
   * cannot be read, or has one that could not be read once it is plain.
   */
  const bodyToSend = async (own: Keys | null, table: TableName, input: RequestInfo | URL, body: string) => {
    const id = /[?&]id=eq\.([^&]+)/.exec(urlOf(input))?.[1]
    const sealOne = async (value: unknown): Promise<Values> => {
      if (!isFields(value)) throw new Error('The request has no rows.')
      const rowId = 'id' in value ? idOf(value) : (id ?? '')
      const before = received(table, rowId)
      const columns = sealedColumns(table).filter((column) => column in value)
      if (columns.some((column) => [value[column], before?.[column]].includes(UNREADABLE)))
        throw new TextRefused(`${UNREADABLE}.`)
      requirePlainLooks(table, value)
      return own === null || columns.length === 0
        ? value
        : sealRow(own, table, placeOf(table, rowId, value), value)
    }
    const value: unknown = JSON.parse(body)
    return JSON.stringify(await (Array.isArray(value) ? mapRows(value, sealOne) : sealOne(value)))
  }
  const send: typeof fetch = async (input, init) => {
    await check()
    const table = tableOf(input)
    const { key, current, state } = known
    let body = init?.body
    if (table && typeof body === 'string' && known.rows.length > 0)
      try {
        body = await bodyToSend(state === 'on' ? current : null, table, input, body)
      } catch (error) {
        if (!(error instanceof TextRefused)) throw error
        return Response.json({ code: INVALID_VALUE, message: error.message }, { status: 400 })
      }
    return receive(input, await options.send(input, { ...namingKey(init, key), ...(body ? { body } : {}) }))
  }
  const setState = async (own: Keys, state: KeyRow['state'], rows: readonly KeyRow[]) => {
    const counter = Math.max(remembered.get()?.counter ?? 0, ...rows.map((row) => row.counter)) + 1
    if (!Number.isSafeInteger(counter)) throw new Error('The server has counted too far.')
    const proof = await proofOf(own, state, counter)
    await dataOf(server.rpc('set_encryption_key', { key_id: own.keyId, state, counter, proof }))
    return counter
  }
  const keepMade = async (rows: readonly KeyRow[]) => {
    const own = made
    if (!own || !rows.some(({ key_id }) => key_id === own.keyId)) return
    made = null
    keys.set(own.keyId, own)
    // Without space for it, this page has it, and tries again.
    await storage.addKeys(own).catch(() => (made = own))
  }
  const requireCurrent = () => {
    if (!known.current) throw new Error('The account is not encrypted.')
    return known.current
  }

  const stored = createStoredTexts({
    server,
    userId,
    keys,
    placeOf,
    replace: async (rows) => {
      const named = connect(url, (input, init) => options.send(input, namingKey(init, known.key)), null)
      await dataOf(named.rpc('replace_texts', { rows }))
    },
  })
  const currentRow = () => known.rows.find(({ key_id }) => key_id === known.current?.keyId)
  /** Whether plain texts are the user's, who has begun to encrypt them here. */
  const arePlainTextsExpected = () => {
    const { state, key_id } = currentRow() ?? {}
    return state === 'encrypting' && remembered.get()?.begun === key_id
  }
  /** Whether a plain text may not be the user's. */
  const isForeign = ({ table, id, column }: TextPlace) =>
    !arePlainTextsExpected() || plainColumns(received(table, id) ?? {}).includes(column)
  const neededKey = () => {
    if (known.state !== 'key-needed') return null
    const { key = NEVER_ENCRYPTED, seals = true } = remembered.get() ?? {}
    if (!seals && keyParts(known.key).counter < keyParts(key).counter) return 'earlier'
    return keys.size > 0 ? 'later' : null
  }
  const status = (): EncryptionStatus => {
    const isUnfinished =
      known.state === 'ending' || (known.state === 'on' && currentRow()?.state === 'encrypting')
    const others = known.rows.filter((row) => isActive(row) && row.key_id !== known.current?.keyId)
    const [isNewKey, isKeyMissing] = [others.length > 0, others.some((row) => !keys.has(row.key_id))]
    const isWaiting = known.state === 'on' && !isNewKey && !arePlainTextsExpected()
    const progress = replacing ?? { done: 0, total: 0 }
    return {
      state: known.state,
      replacing: isUnfinished ? { ...progress, isNewKey, isKeyMissing, isWaiting } : null,
      isGivenUp: options.hasRows() && keysGivenUp(remembered.get(), known.rows).length > 0,
      neededKey: neededKey(),
    }
  }
  const replaceTexts = async (isTimeUp: () => boolean) => {
    const isEnding = known.state === 'ending'
    const isBeginning = known.state === 'on' && currentRow()?.state === 'encrypting'
    if (!known.current || !(isBeginning || isEnding)) return true
    const own = known.current
    const isWrong: Replacing['isWrong'] = (text, where) => {
      if (isEnding) return keyIdOf(text) !== null
      return keyIdOf(text) !== own.keyId && (claimsSealed(text) || !isForeign(where))
    }
    const texts = { own, isSealing: isBeginning, isWrong }
    const todo = await stored.list(texts)
    const isStuck = todo.length >= leftBefore
    leftBefore = todo.length
    const total = (replacing?.done ?? 0) + todo.length
    const progress = () => {
      replacing = { done: total - todo.length, total }
      onChange()
    }
    progress()
    while (todo.length > 0) {
      if (isTimeUp()) return false
      await stored.replaceSome(todo)
      progress()
    }
    // A server that does not do what it says is left alone until the next round.
    return (await finish(texts)) || isStuck
  }
  /** Says that no text is left to be replaced. Resolves to false if some are, because other devices have written them meanwhile. */
  const finish = async (texts: Replacing) => {
    const { own, isSealing } = texts
    if (await stored.hasSome(texts)) return false
    // Whatever the server says next.
    const before = remembered.get()
    if (before?.begun !== undefined) remembered.set({ ...before, begun: undefined })
    const others = known.rows.filter((row) => row.key_id !== own.keyId && isActive(row))
    try {
      for (const { key_id } of others) {
        const former = keys.get(key_id)
        // Only a device with the former key can end it.
        if (!former) return true
        await setState(former, 'replaced', await fetchRows())
      }
      await setState(own, isSealing ? 'on' : 'off', await fetchRows())
    } catch (error) {
      // A text that no key opens stays as it is, and a plain one until the user has decided.
      if (!(error instanceof RequestError && error.code === TEXTS_LEFT)) throw error
      await update()
      return true
    }
    replacing = null
    leftBefore = Infinity
    await update()
    return true
  }

  /** The user has agreed that these keys are given up. */
  const agreeTo = async (ids: readonly string[]) => {
    const before = remembered.get()
    if (!before || ids.length === 0) return
    const { key, rows } = known
    const givenUp = [...new Set([...(before.givenUp ?? []), ...ids])]
    const current = rows.find(isActive)
    const isOwn = ids.includes(keyParts(before.key).keyId ?? '')
    // Nothing proves that the earlier key, which is here, is the current one again.
    if (isOwn && current && (await isProven(keys.get(current.key_id), current))) {
      const { counter, proof } = current
      remembered.set({ key, counter, proof, seals: true, givenUp })
    } else remembered.set({ ...before, givenUp })
    await update()
  }

  /** The key that this device remembers, in the states that it may have had: the server may have lost it. */
  const rememberedRows = (): readonly KeyRow[] => {
    const { key, counter, proof, seals } = remembered.get() ?? {}
    const keyId = seals ? keyParts(key ?? '').keyId : null
    if (keyId === null || counter === undefined || proof === undefined) return []
    return (['encrypting', 'on'] as const).map((state) => ({ key_id: keyId, state, counter, proof }))
  }
  const keysFor = async (rows: readonly KeyRow[], prayerKey: string) => {
    for (const row of [...rows, ...rememberedRows()]) {
      const own = await deriveKeys(prayerKey, userId, row.key_id)
      if (await isProven(own, row)) return own
    }
    return null
  }
  const enterFor = async (rows: readonly KeyRow[], prayerKey: string) => {
    const own = await keysFor(rows, prayerKey)
    if (own === null) return null
    await storage.addKeys(own)
    const before = remembered.get()
    if (before && known.state === 'restored-key-needed') remembered.set({ ...before, entered: own.keyId })
    await takeOver(rows)
    return isKeyNeeded(known) ? 'earlier' : 'current'
  }
  const enter: EncryptedAccount['enter'] = async (typed) => {
    const prayerKey = await parsePrayerKey(typed)
    if (prayerKey === null) return null
    await firstUpdate?.catch(() => undefined)
    // The next round notices if what is known is old.
    const entered = known.key === '' ? null : await enterFor(known.rows, prayerKey)
    return entered ?? enterFor(await fetchRows(), prayerKey)
  }

  return {
    status,
    // Version 0.4.0 has not marked what is plain.
    keyIds: () => (keys.size > 0 ? ['marked', ...[...keys.keys()].toSorted()].join(' ') : ''),
    idKey: () => (known.state === 'on' ? (known.current?.id ?? null) : null),
    send,
    receive: async (input, response) => {
      await check()
      return receive(input, response)
    },
    check,
    learn,
    replaceTexts,
    begin: async (prayerKey) => {
      // The response of an earlier attempt may have been lost.
      if ((await enter(prayerKey)) !== null) return
      await check()
      const own = await deriveKeys(prayerKey, userId, makeKeyId())
      made = own
      // With a key, all texts were sealed before.
      if (!known.current) remembered.set({ ...NOTHING_REMEMBERED, ...remembered.get(), begun: own.keyId })
      await setState(own, 'encrypting', await fetchRows())
      await update()
    },
    enter,
    recognize: async (typed) => {
      const prayerKey = await parsePrayerKey(typed)
      const own = prayerKey === null ? null : await keysFor(known.rows, prayerKey)
      if (own === null) return null
      const current = known.current?.keyId ?? keyParts(remembered.get()?.key ?? '').keyId
      return own.keyId === current ? 'current' : 'earlier'
    },
    turnOff: async () => {
      const own = requireCurrent()
      const counter = await setState(own, 'decrypting', await fetchRows())
      const { givenUp } = remembered.get() ?? {}
      remembered.set({ key: `${own.keyId}.${String(counter)}`, counter, proof: null, seals: false, givenUp })
      await update()
    },
    goOnWithout: async () => {
      // The question may be older than this page: the answer is to what the server says now.
      await update()
      if (isSettled()) return
      const givenUp = givenUpIn(known.rows)
      remembered.set({ key: known.key, counter: 0, proof: null, seals: false, givenUp })
      await update()
    },
    encryptAgain: async () => {
      await update()
      const before = remembered.get()
      // The question may be another one by now.
      if (!before || known.state !== 'restored' || status().isGivenUp) return
      const { keyId } = keyParts(before.key)
      const { rows } = known
      const active = rows.filter(isActive)
      // Another device may have encrypted it again, with a key that was entered here.
      const row = active.find(({ key_id }) => key_id === keyId) ?? active[0]
      const own = keys.get(keyId ?? '')
      const isLost = rows.every(({ key_id }) => key_id !== keyId)
      // The user may not have kept an earlier key.
      const isChangedAgain = isLost && row?.state === 'on' && row.key_id !== before.entered
      if (own && (!row || isChangedAgain)) {
        if (!row) remembered.set({ ...before, begun: own.keyId })
        await setState(own, 'encrypting', rows)
      }
      // The user has decided that the earlier state is true.
      else if (row && (await isProven(keys.get(row.key_id), row))) {
        const { key_id, state, counter, proof } = row
        const begun = state === 'encrypting' ? key_id : undefined
        const key = `${key_id}.${String(keyParts(known.key).counter)}`
        remembered.set({ key, counter, proof, seals: true, begun, givenUp: before.givenUp })
      }
      await update()
    },
    acceptDeletion: async () => {
      if (status().isGivenUp) await agreeTo(givenUpIn(known.rows))
    },
    findPlainTexts: async () => {
      const found: PlainText[] = []
      if (known.state !== 'on' || arePlainTextsExpected()) return found
      for await (const { table, page } of stored.pages())
        for (const { id, ...row } of page)
          for (const column of sealedColumns(table)) {
            const text = row[column]
            const isShown = typeof text === 'string' && received(table, id)?.[column] === text
            if (isShown && text !== '' && !claimsSealed(text)) found.push({ table, id, column, text })
          }
      return found
    },
    sealPlainTexts: async (found, onProgress) => {
      const nameOf = ({ table, id, column, text }: PlainText) => JSON.stringify([table, id, column, text])
      const names = new Set(found.map(nameOf))
      const isWrong: Replacing['isWrong'] = (text, where) => names.has(nameOf({ ...where, text }))
      const todo = await stored.list({ own: requireCurrent(), isSealing: true, isWrong })
      const total = todo.length
      onProgress?.({ done: 0, total })
      while (todo.length > 0) {
        await stored.replaceSome(todo)
        onProgress?.({ done: total - todo.length, total })
      }
    },
    importRows: async ({ categories, prayers }) => {
      const own = known.state === 'on' ? requireCurrent() : null
      const seal = async <Fields extends ImportedRow>(table: TableName, place: string, fields: Fields) => {
        requirePlainLooks(table, fields)
        return own ? sealRow(own, table, place, fields) : fields
      }
      const sealed = await mapRows(prayers, async (prayer) => {
        const updates = prayer.updates.map((each) => seal('prayer_updates', prayer.id, each))
        return { ...(await seal('prayers', prayer.id, prayer)), updates: await Promise.all(updates) }
      })
      const named = connect(url, (input, init) => send(input, init), null)
      const add = (data: Partial<ImportedRows>) =>
        dataOf(
          named
            .rpc('import_sealed', { data: { categories: [], prayers: [], ...data } })
            .abortSignal(AbortSignal.timeout(TRANSFER_TIMEOUT_MS)),
        )
      await add({
        categories: await Promise.all(categories.map((each) => seal('categories', each.id, each))),
      })
      while (sealed.length > 0) await add({ prayers: takeSome(sealed, MAX_IMPORTED) })
    },
    abandon: async () => {
      if (known.key === '') await update()
      const shown = new Set(known.rows.filter(isActive).map(({ key_id }) => key_id))
      await update()
      const active = known.rows.filter(isActive)
      if (active.some(({ key_id }) => !shown.has(key_id)))
        throw new UserError('Your prayer key was changed on another device. Please try again.')
      // The current key last: otherwise, an earlier one would be the current one in between, as after a restore.
      const lost = active.filter(({ key_id }) => !keys.has(key_id)).toReversed()
      let counter = Math.max(0, ...known.rows.map((row) => row.counter))
      for (const { key_id } of lost) {
        const next = keys.get(active.find((row) => row.key_id !== key_id)?.key_id ?? '')
        const category_names = next ? await stored.newCategoryNames(next, key_id) : {}
        counter += 1
        await dataOf(
          server
            .rpc('abandon_encryption_key', { key_id, counter, category_names })
            .abortSignal(AbortSignal.timeout(TRANSFER_TIMEOUT_MS)),
        )
      }
      // A device with a key can read texts, and asks before they go out plain: the server may have named a key that nobody has made.
      if (lost.length > 0 && keys.size === 0)
        remembered.set({ key: `none.${String(counter)}`, counter, proof: null, seals: false })
      await update()
      await agreeTo(lost.map(({ key_id }) => key_id))
    },
  }
}

/** Throws `TextRefused` if a text could not be read once it is plain. */
function requirePlainLooks(table: TableName, fields: Readonly<Record<string, unknown>>): void {
  const texts = sealedColumns(table).map((column) => fields[column])
  if (texts.some((text) => typeof text === 'string' && claimsSealed(text)))
    throw new TextRefused('A text begins like an encrypted one.')
}

function givenUpIn(rows: readonly KeyRow[]): readonly string[] {
  return rows.filter(({ state }) => state === 'abandoned').map(({ key_id }) => key_id)
}

/** The table that a request is about; undefined for functions and tables without texts. */
function tableOf(input: RequestInfo | URL): TableName | undefined {
  const { pathname } = new URL(urlOf(input))
  return SEALED_TABLES.find((table) => pathname.endsWith(`/${table}`))
}

function idOf({ id }: Values): string {
  return typeof id === 'string' ? id : ''
}

function isFields(value: unknown): value is { [column: string]: Json } {
  return isRecord(value)
}
