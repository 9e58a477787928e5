import { type ComponentType, createElement, lazy, useState } from 'react'
import { reloadFromServer, serverResponds, wasReloaded } from './reload.ts'

/** Code that is loaded after the screen that it belongs to. */
export interface LazyChunk<T> {
  /** Null until it is loaded. */
  readonly loaded: T | null
  /** Loads it once. After a failure, the next call tries again; some browsers do so only after the next page load. */
  load: () => Promise<T>
}

/** @param importChunk a dynamic import */
export function lazyChunk<T>(importChunk: () => Promise<T>): LazyChunk<T> {
  let loaded: T | null = null
  let loading: Promise<T> | null = null
  const load = async () => {
    loaded = await importChunk()
    return loaded
  }
  return {
    get loaded() {
      return loaded
    },
    load: () =>
      (loading ??= load().catch((failure: unknown) => {
        loading = null
        throw failure
      })),
  }
}

/** A component for `<Suspense>`, with a function that loads it ahead of time. */
export type LazyComponent<Props> = ComponentType<Props> & { preload: () => void }

/** @param importComponent a dynamic import that resolves to the component */
export function lazyComponent<Props extends object>(
  importComponent: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  const chunk = lazyChunk(importComponent)
  const Lazy: ComponentType<Props> = lazy(async () => ({ default: await importOrReload(chunk.load) }))
  /** React's lazy components suspend even if they were preloaded, and what has suspended is not shown for 300 ms. */
  function Component(props: Props) {
    const [Shown] = useState<ComponentType<Props>>(() => chunk.loaded ?? Lazy)
    return createElement(Shown, props)
  }
  // A failure is reported when the component is rendered.
  return Object.assign(Component, { preload: () => void chunk.load().catch(() => undefined) })
}

/**
 * Imports a chunk that is needed at once. Some browsers remember a failed import until the next page load, and after an
 * update of the app the chunk no longer exists: if the server responds, the page is loaded again from there, once.
 */
export async function importOrReload<T>(importChunk: () => Promise<T>): Promise<T> {
  try {
    return await importChunk()
  } catch (failure) {
    if (wasReloaded() || !(await serverResponds())) throw failure
    void reloadFromServer()
    // Pending until the page unloads.
    return new Promise(() => {})
  }
}
