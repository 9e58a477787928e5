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
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { type ReadField, useForm } from '#web/ui/use-form.ts'
import { SectionForm } from '../settings-section.tsx'
import { useCopy } from '../use-copy.ts'
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
  const link = useRef<HTMLAnchorElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const key = useRef<HTMLElement>(null)
  const copy = useCopy('This browser could not copy the key. It is selected, so that you can copy it.')
  // On a phone, the app is probably on it; its keyboard would cover the image.
  const [isTouch] = useState(() => !matchMedia('(pointer: fine)').matches)
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
    const target = isTouch ? link : field
    target.current?.focus()
  }, [isTouch])
  const here = (
    <>
      <a ref={link} href={app.uri} className={buttonStyle('secondary')}>
        Open my authenticator app
      </a>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p>
          <span className="block text-sm text-ink-soft">Or enter this key in your app:</span>
          <code ref={key} className="tracking-wide wrap-anywhere select-all">
            {app.key}
          </code>
        </p>
        <Button
          variant="ghost"
          className="-mx-4"
          onClick={() => copy(app.key.replaceAll(' ', ''), key.current)}
        >
          Copy
        </Button>
      </div>
    </>
  )
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
      {isTouch && here}
      <p>
        {isTouch
          ? 'Is the app on another device? Then scan this image with it.'
          : 'Scan this image with your authenticator app.'}
      </p>
      <img src={app.qrCode} alt="QR code for your authenticator app" className="w-52 max-w-full rounded-md" />
      {!isTouch && here}
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
