import { useEffect } from 'react'

/** While something typed is not saved, the browser asks before it leaves the page. */
export function useUnsavedTextWarning(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
}
