import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CheckIcon, DownloadIcon } from '#web/ui/icons.tsx'
import { CardError } from './card-error.tsx'
import { useExport } from './use-export.ts'

/** Offers to take everything along before it is gone. */
export function SaveFirst({ productName }: { productName: string }) {
  const [saved, setSaved] = useState(false)
  const { busy, error, start } = useExport(productName, () => setSaved(true))
  return (
    <div className="flex flex-col gap-3 rounded-md bg-sunken px-4 py-3 text-sm text-ink-soft">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p role="status">{saved ? 'Your data file is saved.' : 'You may want to keep your prayers.'}</p>
        <Button variant="ghost" className="-mx-4" loading={busy !== null} onClick={() => start('data')}>
          {busy === null && (saved ? <CheckIcon /> : <DownloadIcon />)}
          Save data file
        </Button>
      </div>
      <CardError>{error}</CardError>
    </div>
  )
}
