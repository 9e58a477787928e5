import * as fake from 'fake-indexeddb'
import { vi } from 'vitest'

// These stay after the test: requests that are still running when it ends need them.
for (const [name, value] of Object.entries(fake)) {
  if (name.startsWith('IDB')) Object.defineProperty(globalThis, name, { value, configurable: true })
}

/** Gives a test an empty IndexedDB of its own. */
export function stubIndexedDb(): void {
  vi.stubGlobal('indexedDB', new fake.IDBFactory())
}
