import { useSyncExternalStore } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { showNotice, useNotice } from './notice.ts'

/** What somebody signed in should know, whichever screen they are at. */
export function Notices() {
  const notice = useNotice()
  const online = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  return (
    <>
      {!online && (
        <Banner tone="notice">
          You are offline. What you see may be out of date, and nothing can be saved until you are back
          online.
        </Banner>
      )}
      {notice && (
        <Banner tone="notice" onDismiss={() => showNotice(null)}>
          {notice}
        </Banner>
      )}
    </>
  )
}

function subscribeToNetwork(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}
