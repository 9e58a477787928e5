import { importOrOfferReload } from '#web/lib/loading/reload.ts'
import type { EncryptedAccount } from './encrypted-account.ts'
import { type EncryptionOptions, type EncryptionStatus, stateBefore } from './encryption-status.ts'
import { namingKey, NEVER_ENCRYPTED, urlOf } from './remembered.ts'

/** The boundary: behind it, all texts are as they were typed. */
export interface Encryption {
  status: () => EncryptionStatus
  /** Seals the texts of a request, and opens those of its response. Rejects while it must not be sent; one with a wrong text is a 400. */
  send: typeof fetch
  /**
   * Like `send`, for the first page of each table, which is fetched before it is known whether the account is encrypted. Rejects if the
   * response has sealed texts. Once the key was entered, the same request gets that response, without asking the server again.
   */
  sendFirst: typeof fetch
  /** Rejects while the user has to do something first. To be called before anything is sent or fetched. */
  check: () => Promise<void>
  /** Takes over which key the server has named; rejects if the user has to do something first. */
  learn: (key: string) => Promise<void>
  /** Replaces texts, if the account is being encrypted or decrypted, until the time is up. Resolves to whether it has done what it can. */
  replaceTexts: (isTimeUp: () => boolean) => Promise<boolean>
  /** Names the keys with which received texts are opened: with others, they have to be fetched again. */
  keyIds: () => string
  /** For ids that are computed from texts; null if texts are not sealed. */
  idKey: () => Uint8Array | null
  /** What the user can do. */
  open: () => Promise<EncryptedAccount>
}

/** A text in a response that may be sealed. */
const MAY_BE_SEALED = /"enc[0-9]+\./

/** Few accounts are encrypted: what they need is loaded when one is. */
export function createEncryption(options: EncryptionOptions): Encryption {
  const { remembered, send, hasKeys } = options
  let account: EncryptedAccount | null = null
  let loading: Promise<EncryptedAccount> | null = null
  const open = () => {
    loading ??= importOrOfferReload(() => import('./encrypted-account.ts'))
      .then(async ({ openEncryptedAccount }) => (account = await openEncryptedAccount(options)))
      .catch((error: unknown) => {
        loading = null
        throw error
      })
    return loading
  }
  /** The first responses, by their URL, until it is known whether they have sealed texts. */
  const firstResponses = new Map<string, Response>()
  // The browser may not have stored what this device should remember.
  const isConcerned = () => account !== null || remembered.get() !== null || hasKeys
  const sendPlain = async (
    input: RequestInfo | URL,
    init: RequestInit | undefined,
  ): Promise<[response: Response, isSealed: boolean]> => {
    const response = await send(input, namingKey(init, NEVER_ENCRYPTED))
    const text = response.ok && response.status !== 204 ? await response.text() : null
    return text === null ? [response, false] : [new Response(text, response), MAY_BE_SEALED.test(text)]
  }
  return {
    status: () => account?.status() ?? { state: stateBefore(remembered.get(), hasKeys), replacing: null },
    keyIds: () => account?.keyIds() ?? '',
    idKey: () => account?.idKey() ?? null,
    open,
    send: async (input, init) => {
      if (isConcerned()) return (await open()).send(input, init)
      const [response, isSealed] = await sendPlain(input, init)
      return isSealed ? (await open()).receive(input, response) : response
    },
    sendFirst: async (input, init) => {
      const url = urlOf(input)
      if (isConcerned()) {
        const [kept, own] = [firstResponses.get(url), await open()]
        firstResponses.delete(url)
        return kept ? own.receive(input, kept) : own.send(input, init)
      }
      const [response, isSealed] = await sendPlain(input, init)
      if (response.ok) firstResponses.set(url, response.clone())
      if (isSealed) throw new Error('The prayer key has to be entered first.')
      return response
    },
    check: async () => {
      if (isConcerned()) await (await open()).check()
    },
    learn: async (key) => {
      if (isConcerned() || key !== NEVER_ENCRYPTED) await (await open()).learn(key)
      else firstResponses.clear()
    },
    replaceTexts: async (isTimeUp) => account?.replaceTexts(isTimeUp) ?? true,
  }
}
