import { useContext, useEffect, useMemo, useState } from 'react'
import { isInstalled } from '#web/lib/notification-support.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { keepNothing, setKeepNothing } from '#web/sync/local-databases.ts'
import { UserDataContext, useRows, useSync } from './rows.ts'

/** What is stored on this device. */
export interface DeviceUsage {
  prayers: number
  categories: number
  /** How many rows are stored that this version of the app cannot show. */
  unreadable: number
  /** About how many bytes they take. */
  bytes: number
  /** False if this browser stores nothing. */
  durable: boolean
}

export function useDeviceUsage(): DeviceUsage {
  const data = useContext(UserDataContext)
  const durable = useSync((sync) => sync.status().durable, true)
  const prayers = useRows('prayers').rows
  const categories = useRows('categories').rows
  const unreadable = useSync((sync) => sync.countUnreadable(), 0)
  return useMemo(() => {
    const sync = data?.sync()
    if (!durable || !sync) return { prayers: 0, categories: 0, unreadable: 0, bytes: 0, durable }
    const counts = { prayers: prayers?.length ?? 0, categories: categories?.length ?? 0 }
    return { ...counts, unreadable, bytes: sync.size().bytes, durable }
  }, [data, durable, prayers, categories, unreadable])
}

/** When the browser may delete what is stored, apart from the user's own doing. */
export type Eviction =
  | 'never'
  /** When the device runs out of space. */
  | 'no-space'
  /** When the app has not been used for a week: Safari does so unless the app is on the Home Screen. */
  | 'unused'

/** Null until the browser has answered. */
export function useEviction(): Eviction | null {
  const [eviction, setEviction] = useState<Eviction | null>(null)
  useEffect(() => {
    let isMounted = true
    void readEviction().then((read) => isMounted && setEviction(read))
    return () => {
      isMounted = false
    }
  }, [])
  return eviction
}

async function readEviction(): Promise<Eviction> {
  const { storage, vendor }: Partial<Navigator> = navigator
  // All browsers on iOS are Safari in this respect.
  if (vendor?.startsWith('Apple') && !isInstalled()) return 'unused'
  // Plain http has no storage manager.
  const isPersisted = await storage?.persisted().catch(() => false)
  return isPersisted ? 'never' : 'no-space'
}

/**
 * The switch "Keep nothing on this device", which survives signing out. Turning it on deletes the data of every user from
 * this device; turning it off has an effect from the next start of the app on.
 */
export function useKeepNothing() {
  return { on: useStore(keepNothing) !== null, turn: setKeepNothing }
}
