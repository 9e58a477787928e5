import { type MouseEvent, type ReactNode } from 'react'
import { NOT_ENCRYPTED, plainColumns } from '#web/data/encryption-status.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { TEXT_LINK } from '#web/ui/link.tsx'

interface NotEncryptedProps<Shown> {
  row: Shown
  /** The column with the text. */
  column: keyof Shown
  /** What the text is, for screen readers: for example `the note`. */
  about: string
  /** Encrypts the text as it is shown. */
  onEncrypt: () => Promise<ActionResult>
}

/** Below a text that the server has plain, although the account is encrypted. It may not be the user's: only the user encrypts it. */
export function NotEncrypted<Shown extends object>(props: NotEncryptedProps<Shown>): ReactNode {
  const { row, column, about, onEncrypt } = props
  const announce = useAnnounce()
  if (!plainColumns(row).includes(column)) return null
  const encrypt = async () => {
    const { success } = await onEncrypt()
    if (success) announce('Encrypted')
  }
  const handleClick = ({ currentTarget }: MouseEvent) => {
    const entry = currentTarget.closest('li')
    keepFocus(
      () => void encrypt(),
      () => entry?.querySelector('button'),
    )
  }
  return (
    <p className="flex flex-wrap gap-x-2 font-sans text-sm text-ink-faint print:hidden">
      {NOT_ENCRYPTED}
      <button
        type="button"
        aria-label={`Encrypt it: ${about}`}
        className={`${TEXT_LINK} touch-area`}
        onClick={handleClick}
      >
        Encrypt it
      </button>
    </p>
  )
}
