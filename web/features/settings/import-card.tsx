import { useEffect, useRef } from 'react'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { UploadIcon } from '#web/ui/icons.tsx'
import { CardError } from './card-error.tsx'
import { ImportPreview } from './import-preview.tsx'
import { importedWords } from './import-words.ts'
import { useImport } from './use-import.ts'

/** Brings prayers in from the data file of an export. */
export function ImportCard({ onSent }: { onSent: () => void }) {
  const announce = useAnnounce()
  const button = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const { state, choose, bringIn, cancel } = useImport((counts) => announce(importedWords(counts)), onSent)
  const looking = state.step === 'look'
  const wasLooking = useRef(false)
  useEffect(() => {
    // The buttons of the preview have gone, and the focus with them.
    if (wasLooking.current && !looking) button.current?.focus()
    wasLooking.current = looking
  }, [looking])
  return (
    <Card aria-labelledby="import" className="flex flex-col gap-4 p-5 sm:p-6">
      <h2 id="import" className="text-xl">
        Import
      </h2>
      {state.step === 'look' ? (
        <ImportPreview
          chosen={state.chosen}
          busy={state.busy}
          error={state.error}
          onImport={() => bringIn(state.chosen)}
          onCancel={cancel}
        />
      ) : (
        <>
          <p className="text-ink-soft">
            Brings back what is in a data file, of this account or of another one. You see first what would be
            added. What is here already stays as it is, and nothing comes in twice.
          </p>
          <CardError>{state.step === 'choose' ? state.error : null}</CardError>
          <div className="mt-auto">
            <Button ref={button} loading={state.step === 'reading'} onClick={() => input.current?.click()}>
              {state.step !== 'reading' && <UploadIcon />}
              Choose a data file
            </Button>
          </div>
        </>
      )}
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Data file"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) choose(file)
          // The same file can be chosen again, corrected.
          event.currentTarget.value = ''
        }}
      />
    </Card>
  )
}
