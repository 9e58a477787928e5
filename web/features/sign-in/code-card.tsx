import type { Factor } from '@supabase/auth-js'
import { type ComponentProps, type InputEvent, type ReactNode, useState } from 'react'
import { reportError } from '#web/lib/error-message.ts'
import {
  byLastUse,
  type CodeTarget,
  giveAppCode,
  giveRecoveryCode,
  nameOfApp,
} from '#web/lib/session/second-factor.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice, Choices } from '#web/ui/choices.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { AuthCard } from './auth-card.tsx'
import { useInitialFocus } from './use-initial-focus.ts'

interface CodeCardProps {
  /** The apps of the user. */
  apps: readonly Factor[]
  target: CodeTarget
  /** The way out. */
  children: ReactNode
}

/** Asks for the code of an authenticator app, or for a recovery code. The session then changes. */
export function CodeCard({ apps, target, children }: CodeCardProps) {
  const [kind, setKind] = useState<'app' | 'recovery'>('app')
  const isApp = kind === 'app'
  return (
    <AuthCard
      title="Two-factor sign-in"
      text={isApp ? 'Enter the code from your authenticator app' : 'Enter one of your recovery codes'}
    >
      {isApp ? <AppCodeForm apps={apps} target={target} /> : <RecoveryCodeForm target={target} />}
      <div className="flex flex-wrap justify-between gap-x-6">
        <button
          type="button"
          onClick={() => setKind(isApp ? 'recovery' : 'app')}
          className={`${TEXT_LINK} min-h-11 text-start text-sm`}
        >
          {isApp ? 'Use a recovery code' : 'Use your authenticator app'}
        </button>
        {children}
      </div>
    </AuthCard>
  )
}

function AppCodeForm({ apps, target }: Pick<CodeCardProps, 'apps' | 'target'>) {
  const [chosenId, setChosenId] = useState(() => apps.toSorted(byLastUse)[0]?.id)
  // It may have been removed on another device.
  const chosen = apps.find(({ id }) => id === chosenId) ?? apps[0]
  return (
    <CodeForm
      label="Code"
      inputMode="numeric"
      autoComplete="one-time-code"
      onInput={submitWhenComplete}
      give={(code) => giveAppCode(target, chosen?.id ?? '', code)}
    >
      {apps.length > 1 && (
        <Choices label="App">
          {apps.map((app) => (
            <Choice key={app.id} chosen={app === chosen} onClick={() => setChosenId(app.id)}>
              <bdi className="wrap-anywhere">{nameOfApp(app)}</bdi>
            </Choice>
          ))}
        </Choices>
      )}
    </CodeForm>
  )
}

/** The codes of apps have six digits. */
function submitWhenComplete({ currentTarget: { value, form } }: InputEvent<HTMLInputElement>): void {
  if (/^\d{6}$/.test(value.replaceAll(' ', ''))) form?.requestSubmit()
}

function RecoveryCodeForm({ target }: Pick<CodeCardProps, 'target'>) {
  return (
    <CodeForm
      label="Recovery code"
      autoComplete="off"
      hint="One of the ten that you saved. Each works once."
      give={(code) => giveRecoveryCode(target, code)}
    />
  )
}

interface CodeFormProps extends Pick<
  ComponentProps<typeof TextField>,
  'label' | 'hint' | 'autoComplete' | 'inputMode' | 'onInput'
> {
  give: (code: string) => Promise<void>
  children?: ReactNode
}

function CodeForm({ give, children, ...field }: CodeFormProps) {
  const form = useForm({
    check: (read) => ({ code: read('code').trim() === '' ? 'Please enter the code' : null }),
    save: async (read) => {
      try {
        await give(read('code').trim())
        return { busy: true }
      } catch (failure) {
        return { errors: { code: reportError('check the code', failure) }, select: true }
      }
    },
  })
  useInitialFocus(form, 'code', true)
  return (
    <form {...form.props} className="flex flex-col gap-5">
      {children}
      <TextField
        name="code"
        required
        dir="ltr"
        autoCapitalize="none"
        spellCheck={false}
        className="tracking-wide"
        {...field}
        error={form.errors.code}
      />
      <Button type="submit" variant="primary" loading={form.busy}>
        {form.busy ? 'Checking...' : 'Continue'}
      </Button>
    </form>
  )
}
