import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { CardError } from './card-error.tsx'
import { useExport } from './use-export.ts'

/** Everything that is stored about the person, to keep. */
export function ExportCard({ productName }: { productName: string }) {
  const announce = useAnnounce()
  const { busy, error, start } = useExport(productName, (kind) =>
    announce(kind === 'data' ? 'Data file saved' : 'Text saved'),
  )
  return (
    <Card aria-labelledby="export" className="flex flex-col gap-4 p-5 sm:p-6">
      <h2 id="export" className="text-xl">
        Export my data
      </h2>
      <p className="text-ink-soft">
        Everything that is stored about you, as it is now: your account, your categories and all your prayers.
        The data file can be imported again; the text is for reading and printing.
      </p>
      <CardError>{error}</CardError>
      <div className="mt-auto flex flex-wrap gap-3">
        <Button loading={busy === 'data'} onClick={() => start('data')}>
          {busy !== 'data' && <DownloadIcon />}
          Save data file
        </Button>
        <Button loading={busy === 'text'} onClick={() => start('text')}>
          {busy !== 'text' && <DownloadIcon />}
          Save as text
        </Button>
      </div>
    </Card>
  )
}
