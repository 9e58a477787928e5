import { useEffect, useEffectEvent, useState } from 'react'
import { boolean, object, parse, string } from 'valibot'
import { config } from '#web/lib/config.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'

const reminderSchema = object({ enabled: boolean(), remind_at: string() })

type Outcome =
  | { kind: 'done'; isOn: boolean; time: string }
  /** The reminder was deleted, or the link is damaged. */
  | { kind: 'gone' }
  | { kind: 'failed' }

/** `/turn-off-reminder`, where the link in an email leads, with its token as the hash. One press is enough, without signing in. */
export function TurnOffReminderScreen() {
  const [token] = useState(() => location.hash.slice(1))
  const [wanted, setWanted] = useState<'off' | 'on'>('off')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { busy, submit } = useSubmission()
  const turn = (next: 'off' | 'on') =>
    void submit(async () => {
      setWanted(next)
      setOutcome(await requestTurn(token, next))
    })
  const start = useEffectEvent(() => {
    if (token === '') return
    // Whoever has the token can use it, so it does not stay in the history.
    history.replaceState(history.state, '', location.pathname)
    turn('off')
  })
  useEffect(() => start(), [])
  return (
    <div className="mx-auto flex w-full max-w-prose flex-col items-start gap-6 px-5 py-12 sm:py-16">
      <h1 tabIndex={-1} className="text-3xl tracking-tight">
        Turn off a reminder
      </h1>
      <p role="status" className="text-lg text-ink-soft empty:hidden">
        {token === ''
          ? 'Please open the link in the email again: here, a part of it is missing.'
          : textOf(outcome)}
      </p>
      {outcome?.kind === 'failed' && <InlineError>The server could not be reached.</InlineError>}
      {outcome?.kind === 'failed' && (
        <Button loading={busy} onClick={() => turn(wanted)}>
          Try again
        </Button>
      )}
      {outcome?.kind === 'done' && (
        <Button loading={busy} onClick={() => turn(outcome.isOn ? 'off' : 'on')}>
          {outcome.isOn ? 'Turn it off' : 'Turn it on again'}
        </Button>
      )}
    </div>
  )
}

function textOf(outcome: Outcome | null): string {
  switch (outcome?.kind) {
    case undefined:
      return 'One moment...'
    case 'done':
      return `Your ${outcome.time} reminder is ${outcome.isOn ? 'on again' : 'off'}.`
    case 'gone':
      return 'This reminder no longer exists.'
    case 'failed':
      return ''
  }
}

/** Never rejects. */
async function requestTurn(token: string, wanted: 'off' | 'on'): Promise<Outcome> {
  const url = `${config.url}/reminders/v1/${wanted}?token=${encodeURIComponent(token)}`
  try {
    const response = await fetchWithTimeout(url, { method: 'POST' })
    if (response.status === 404) return { kind: 'gone' }
    const { enabled, remind_at } = parse(reminderSchema, await response.json())
    return { kind: 'done', isOn: enabled, time: remind_at }
  } catch {
    return { kind: 'failed' }
  }
}
