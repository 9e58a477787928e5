import { useEffect, useReducer } from 'react'
import { string } from 'valibot'
import { useLocationProperty } from 'wouter/use-browser-location'
import { isRecord } from '#shared/is-record.ts'
import { deleteDraft, readDraft, saveDraft } from '#web/lib/storage/drafts.ts'
import { newId } from '#web/lib/new-id.ts'

/** In the state of a history entry: the id of its query. */
const STATE_KEY = 'search'
/** In the fragment of links of earlier versions: the query itself. */
const LINK_PARAMETER = 'q'

/**
 * What the user searches for, and a function that changes it. A reload and "back" keep it. Browsers keep the URLs and states of
 * history entries after signing out: so these have only an id, under which the query is kept like a draft, until then.
 */
export function useQuery(): [string, (query: string) => void] {
  const query = useLocationProperty(readQuery)
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const takeFromLink = () => {
      const linked = queryInLink()
      if (linked !== null) writeQuery(linked)
    }
    takeFromLink()
    addEventListener('hashchange', takeFromLink)
    return () => removeEventListener('hashchange', takeFromLink)
  }, [])
  const setQuery = (changed: string) => {
    writeQuery(changed)
    renderAgain()
  }
  return [query, setQuery]
}

function readQuery(): string {
  return queryInLink() ?? storedQuery() ?? ''
}

function queryInLink(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(LINK_PARAMETER)
}

function storedQuery(): string | undefined {
  const id = idInHistory()
  if (id === null) return undefined
  return readDraft(nameOf(id), string())
}

function idInHistory(): string | null {
  const state: unknown = history.state
  const id = isRecord(state) ? state[STATE_KEY] : null
  return typeof id === 'string' ? id : null
}

function nameOf(id: string) {
  return ['search', id]
}

function writeQuery(query: string): void {
  const id = idInHistory() ?? newId()
  if (query === '') deleteDraft(nameOf(id))
  else saveDraft(nameOf(id), query)
  if (id === idInHistory() && queryInLink() === null) return
  // Browsers allow about ten of these a second: only the first change of an entry needs one.
  history.replaceState({ ...history.state, [STATE_KEY]: id }, '', location.pathname + location.search)
}
