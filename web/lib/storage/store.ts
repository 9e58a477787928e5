import { useSyncExternalStore } from 'react'
import { type GenericSchema, is } from 'valibot'

/** A value that lives outside the component tree. Components read it with `useStore`. */
export interface Store<T> {
  get: () => T
  set: (value: T) => void
  /** Calls `listener` after every change, until the returned function is called. */
  subscribe: (listener: () => void) => () => void
}

/** A store that lives as long as the page. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * A store whose value survives a reload, kept as JSON in the tab's session storage or in local storage. Null stands for
 * "nothing stored"; so does a stored value that is not valid.
 *
 * @param key of the storage item
 * @param schema of the parsed JSON: another version of the app may have stored it
 * @param whenFull what `set` does if the storage has no room: throws, or remembers the value as long as the store exists
 */
export function createStoredValue<T>(
  key: string,
  schema: GenericSchema<T>,
  storage: () => Storage = () => sessionStorage,
  whenFull: 'throw' | 'remember' = 'throw',
): Store<T | null> {
  const changes = createStore(0)
  // Parsed again when it has changed: another tab may have done so, if it is in local storage.
  let parsed: { text: string | null; value: T | null } | null = null
  return {
    get: () => {
      const text = storage().getItem(key)
      if (parsed?.text !== text) parsed = { text, value: readStored(storage(), key, schema) ?? null }
      return parsed.value
    },
    set: (value) => {
      parsed = null
      try {
        if (value === null) storage().removeItem(key)
        else storage().setItem(key, JSON.stringify(value))
      } catch (error) {
        if (whenFull === 'throw') throw error
        parsed = { text: storage().getItem(key), value }
      }
      changes.set(changes.get() + 1)
    },
    subscribe: (listener) => {
      const unsubscribe = changes.subscribe(listener)
      // Of changes in other tabs.
      addEventListener('storage', listener)
      return () => {
        unsubscribe()
        removeEventListener('storage', listener)
      }
    },
  }
}

/** Reads a JSON value from a storage; undefined if there is none or it is not valid. */
export function readStored<T>(storage: Storage, key: string, schema: GenericSchema<T>): T | undefined {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '')
    return is(schema, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The store's value; renders again when it changes. */
export function useStore<T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}
