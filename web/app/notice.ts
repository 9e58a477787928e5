import { useSyncExternalStore } from 'react'

let notice: string | null = null
const listeners = new Set<() => void>()

/** Puts a message above the next screen of somebody signed in, until they dismiss it; null takes it away. */
export function showNotice(message: string | null): void {
  notice = message
  for (const listener of listeners) listener()
}

/** The message to show, if any. */
export function useNotice(): string | null {
  return useSyncExternalStore(subscribe, () => notice)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
