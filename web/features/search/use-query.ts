import { useEffect, useState } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'

const PARAMETER = 'q'

/** Browsers allow about ten changes of the URL a second. */
const WRITE_DELAY_MS = 250

/**
 * What the user searches for. It is also in the fragment of the URL, which survives a reload and is never sent to a server:
 * `/search#q=anna`.
 */
export function useQuery() {
  const inUrl = useLocationProperty(queryInUrl)
  const [lastInUrl, setLastInUrl] = useState(inUrl)
  const [query, setQuery] = useState(inUrl)
  if (inUrl !== lastInUrl) {
    setLastInUrl(inUrl)
    setQuery(inUrl)
  }
  useEffect(() => {
    const timer = setTimeout(() => writeQuery(query), WRITE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [query])
  return {
    query,
    setQuery,
    /** Brings the URL up to date at once, before the history gets another entry. */
    flushQuery: () => writeQuery(query),
  }
}

function queryInUrl(): string {
  return new URLSearchParams(location.hash.slice(1)).get(PARAMETER) ?? ''
}

function writeQuery(query: string): void {
  if (query === queryInUrl()) return
  const fragment = query === '' ? '' : `#${new URLSearchParams({ [PARAMETER]: query }).toString()}`
  history.replaceState(history.state, '', location.pathname + location.search + fragment)
}
