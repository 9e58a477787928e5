import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

/** Text that was typed into a dialog and not saved, until it is saved or thrown away. */
export type Draft<T> = { read: () => T | undefined; keep: (text: T) => void; forget: () => void }

/**
 * The draft of one dialog. It lives in the query cache because that is what sign-out empties: nobody finds the words
 * of the person before. It is never written to disk.
 *
 * @param dialog names the dialog, for example `['prayer', id]`
 */
export function useDraft<T>(dialog: readonly string[]): Draft<T> {
  const client = useQueryClient()
  const name = JSON.stringify(dialog)
  return useMemo(() => draftIn<T>(client, name), [client, name])
}

function draftIn<T>(client: QueryClient, name: string): Draft<T> {
  const key = ['draft', name]
  return {
    read: () => client.getQueryData<T>(key),
    keep: (text) => {
      client.setQueryDefaults(['draft'], { gcTime: Infinity })
      client.setQueryData<T>(key, text)
    },
    forget: () => client.removeQueries({ queryKey: key, exact: true }),
  }
}
