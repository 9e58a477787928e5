import type { Change } from '../change.ts'
import type { Row, TableName } from '../schema.ts'
import type { DeviceStorage } from '../storage.ts'
import { BLOCKING_STATES, type RememberedEncryption, type RememberedStore } from './remembered.ts'

/** What stands for a text that no known key opens. It is never sent. */
export const UNREADABLE = 'This text cannot be read with your prayer key'

/** What is said of anything that has to wait until the user has done something. */
export const USER_NEEDED =
  'Nothing can be saved on the server or fetched from it yet: please see the message at the top of the page.'

/** What a row has on this device besides its columns. */
export interface Marked {
  /** The columns whose texts the server has plain, although the account is encrypted: they may not be the user's. */
  plain?: unknown
}

/** The columns of a row whose texts the server has plain, although the account is encrypted. */
export function plainColumns(row: object): readonly unknown[] {
  return 'plain' in row && Array.isArray(row.plain) ? row.plain : []
}

/** How the encryption of an account is doing on this device. */
export interface EncryptionStatus {
  state:
    | 'off'
    /** Texts leave this device sealed. */
    | 'on'
    /** It is being turned off. */
    | 'ending'
    // In these, nothing is sent or received before the user has done something.
    /** The prayer key has to be entered. */
    | 'key-needed'
    /** Encryption was turned off elsewhere, with the key: the user has to agree to send texts as they are typed. */
    | 'turned-off'
    /** The server says so: the prayer key has to be entered to check that. */
    | 'turned-off-key-needed'
    /** The server says that the account was given up for lack of the key, or was never encrypted. Nothing can prove it. */
    | 'unproven'
    /**
     * The server has an earlier state than this device has seen: it was restored from a backup, or it lies. Or a key of this device was given up
     * elsewhere: what it has sealed is deleted here next.
     */
    | 'restored'
    /** The same on a device that lacks a prayer key in use: it has to be entered first. */
    | 'restored-key-needed'
    /** The server has something that nobody with the prayer key has written. */
    | 'forged'
    /** The browser does not encrypt anything on a page without https. */
    | 'insecure'
  /**
   * How many rows have got their new form while texts are replaced, whether it is that of a new key, whether the former one is needed for
   * that, and whether what is left waits for the user, or for the device that has begun; null if none are.
   */
  replacing: {
    done: number
    total: number
    isNewKey: boolean
    isKeyMissing: boolean
    isWaiting: boolean
  } | null
  /** Whether what this device shows may have been deleted elsewhere, where a key was lost, and the user has not agreed to that here. */
  isGivenUp?: boolean
  /**
   * Which key has to be entered, if that can be told: one that was made `later` than those of this device, or the `earlier` one of a time to
   * which the server was restored.
   */
  neededKey?: 'later' | 'earlier' | null
}

export interface EncryptionOptions {
  userId: string
  remembered: RememberedStore
  storage: Pick<DeviceStorage, 'readKeys' | 'addKeys' | 'deleteKeys'>
  /** URL of the data API. */
  url: string
  /** Sends a request as it is. */
  send: typeof fetch
  /** A row as it was last received. */
  received: (table: TableName, id: string) => Row | undefined
  /** The changes of a row that wait to be sent. */
  waiting: (table: TableName, id: string) => readonly Change[]
  onChange: () => void
  /** Whether this device had keys of the account when the page was opened. */
  hasKeys: boolean
  /** Whether this device has stored all rows once. */
  hasRows: () => boolean
}

/** What can be told of an account before the server was asked, for which a network is needed. */
export function stateBefore(
  remembered: RememberedEncryption | null,
  hasKeys: boolean,
): EncryptionStatus['state'] {
  if (remembered?.asked) return BLOCKING_STATES.find((each) => each === remembered.asked) ?? 'key-needed'
  // Keys are deleted once encryption has ended.
  if (remembered && !remembered.seals) return hasKeys ? 'ending' : 'off'
  if (hasKeys) return 'on'
  return remembered ? 'key-needed' : 'off'
}

/** Whether nothing is sent or received before the user has done something. */
export function isUserNeeded({ state }: Pick<EncryptionStatus, 'state'>): boolean {
  return state !== 'off' && state !== 'on' && state !== 'ending'
}
