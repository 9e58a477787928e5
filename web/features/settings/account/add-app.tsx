import type { User } from '@supabase/auth-js'
import { useEffect, useRef, useState } from 'react'
import { reportError } from '#web/lib/error-message.ts'
import type { Proof } from '#web/lib/session/change-account.ts'
import {
  addApp,
  appsOf,
  giveAppCode,
  nameOfApp,
  type NewApp,
  ownTarget,
} from '#web/lib/session/second-factor.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { type ReadField, useForm } from '#web/ui/use-form.ts'
import { SectionForm } from '../settings-section.tsx'
import { ChangeForm } from './change-form.tsx'

const NAME_MAX_LENGTH = 100

export interface AddedApp {
  name: string
  /** Whether it has turned two-factor sign-in on. */
  isFirst: boolean
  /** What the server wanted for it. */
  proof: Proof
}

interface AddAppProps {
  user: User
  onAdded: (added: AddedApp) => Promise<void>
  onCancel: () => void
}

/** Adds an authenticator app in two steps: its name, and the code that shows that it works. */
export function AddApp({ user, onAdded, onCancel }: AddAppProps) {
  const [isFirst] = useState(() => appsOf(user).length === 0)
  const [begun, setBegun] = useState<{ app: NewApp; name: string; proof: Proof } | null>(null)
  if (begun === null) return <NameForm user={user} isFirst={isFirst} onBegun={setBegun} onCancel={onCancel} />
  const { app, name, proof } = begun
  return (
    <ScanForm
      app={app}
      isFirst={isFirst}
      onCode={() => onAdded({ name, isFirst, proof })}
      onCancel={onCancel}
    />
  )
}

interface NameFormProps extends Pick<AddAppProps, 'user' | 'onCancel'> {
  isFirst: boolean
  onBegun: (begun: { app: NewApp; name: string; proof: Proof }) => void
}

function NameForm({ user, isFirst, onBegun, onCancel }: NameFormProps) {
  const save = async (proof: Proof, read: ReadField) => {
    const name = read('app-name').trim()
    onBegun({ app: await addApp(name, proof), name, proof })
  }
  return (
    <ChangeForm
      user={user}
      operation="set up two-factor sign-in"
      submitLabel="Continue"
      begin="recent-sign-in"
      check={(read) => ({ name: nameError(read('app-name').trim(), user) })}
      save={save}
      onCancel={onCancel}
    >
      {(errors) => (
        <TextField
          label="Name of the app"
          name="app-name"
          required
          autoComplete="off"
          maxLength={NAME_MAX_LENGTH}
          defaultValue={isFirst ? 'My phone' : 'Second app'}
          error={errors.name}
          hint="So that you can tell your apps apart"
        />
      )}
    </ChangeForm>
  )
}

function nameError(name: string, user: User): string | null {
  if (name === '') return 'Please enter a name'
  return appsOf(user).some((app) => nameOfApp(app) === name) ? 'Your other app has this name' : null
}

interface ScanFormProps {
  app: NewApp
  isFirst: boolean
  /** Called when the app has given a code. */
  onCode: () => Promise<void>
  onCancel: () => void
}

/** Shows what the app needs, and asks for its code. */
function ScanForm({ app, isFirst, onCode, onCancel }: ScanFormProps) {
  const text = useRef<HTMLParagraphElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const form = useForm({
    check: (read) => ({ code: read('code').trim() === '' ? 'Please enter the code' : null }),
    save: async (read) => {
      try {
        await giveAppCode(ownTarget, app.id, read('code').trim())
      } catch (failure) {
        return { errors: { code: reportError('check the code', failure) }, select: true }
      }
      return onCode()
    },
  })
  useEffect(() => {
    // The keyboard of a touch screen would cover the image.
    const target = matchMedia('(pointer: fine)').matches ? field : text
    target.current?.focus()
  }, [])
  return (
    <SectionForm
      form={form}
      buttons={
        <>
          <Button type="submit" variant="primary" loading={form.busy}>
            {isFirst ? 'Turn on' : 'Add the app'}
          </Button>
          <Button disabled={form.busy} onClick={onCancel}>
            Cancel
          </Button>
        </>
      }
    >
      <p ref={text} tabIndex={-1}>
        Scan this image with your authenticator app.
      </p>
      <img src={app.qrCode} alt="QR code for your authenticator app" className="w-52 max-w-full rounded-md" />
      <p className="text-sm text-ink-soft">
        Is the app on this device? Then{' '}
        <a href={app.uri} className={TEXT_LINK}>
          open it from here
        </a>
        , or enter this key there: <code className="text-ink select-all">{app.key}</code>
      </p>
      <TextField
        ref={field}
        label="Code that the app shows"
        name="code"
        required
        dir="ltr"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={form.errors.code}
        hint={isFirst ? 'It turns two-factor sign-in on, and signs out all your other devices.' : undefined}
      />
    </SectionForm>
  )
}
