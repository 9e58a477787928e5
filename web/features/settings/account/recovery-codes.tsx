import type { User } from '@supabase/auth-js'
import { useEffect, useId, useRef } from 'react'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import type { Proof } from '#web/lib/session/change-account.ts'
import { createRecoveryCodes } from '#web/lib/session/second-factor.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { saveFile } from '../save-file.ts'
import { SECTION_BUTTONS } from '../settings-section.tsx'
import { useCopy } from '../use-copy.ts'
import { ConfirmForm } from './change-form.tsx'

const NOT_COPIED = 'This browser could not copy the codes. They are selected, so that you can copy them.'

interface NewRecoveryCodesProps {
  user: User
  /** Null if the server has no recovery codes. */
  onMade: (codes: readonly string[] | null) => void
  onCancel: () => void
}

/** Makes recovery codes in place of the former ones. */
export function NewRecoveryCodes({ user, onMade, onCancel }: NewRecoveryCodesProps) {
  const save = async (proof: Proof) => onMade(await createRecoveryCodes(proof))
  return (
    <ConfirmForm
      user={user}
      operation="make recovery codes"
      submitLabel="Make recovery codes"
      save={save}
      onCancel={onCancel}
    >
      You will see ten new recovery codes, and the old ones will stop working.
    </ConfirmForm>
  )
}

interface RecoveryCodesProps {
  codes: readonly string[]
  user: User
  onKept: () => void
}

/** Shows recovery codes, this once. */
export function RecoveryCodes({ codes, user, onKept }: RecoveryCodesProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const announce = useAnnounce()
  const copy = useCopy(NOT_COPIED)
  useEffect(() => heading.current?.focus(), [])
  const save = () => {
    saveFile('intercede-recovery-codes.txt', 'text/plain', codesAsText(codes, user))
    announce('Recovery codes saved')
  }
  return (
    <div className="flex max-w-form flex-col gap-4">
      <h3 ref={heading} id={id} tabIndex={-1} className="text-lg">
        Your recovery codes
      </h3>
      <p>
        If you lose your phone, your password and one of these codes sign you in; each works once. Please keep
        them where only you can find them, perhaps on paper. You will not see them here again.
      </p>
      <ul ref={list} aria-labelledby={id} className="flex flex-col gap-1 rounded-md bg-sunken px-4 py-3">
        {codes.map((code) => (
          <li key={code}>
            <code className="tracking-wide wrap-anywhere">{code}</code>
          </li>
        ))}
      </ul>
      <div className={SECTION_BUTTONS}>
        <Button onClick={() => copy(codes.join('\n'), list.current)}>Copy</Button>
        <Button onClick={save}>
          <DownloadIcon />
          Save as text
        </Button>
        <Button variant="primary" onClick={onKept}>
          I have saved them
        </Button>
      </div>
    </div>
  )
}

function codesAsText(codes: readonly string[], { email }: User): string {
  const title = ['Recovery codes', PRODUCT_NAME, email].filter(Boolean).join(', ')
  const use = 'Each works once, in place of the code from your authenticator app.'
  return [title, '', ...codes, '', use, ''].join('\n')
}
