import { useState } from 'react'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { sendConfirmationMail } from './auth-requests.ts'
import { useSubmission } from './use-submission.ts'

/** What to do about an address that is still to be confirmed. */
export function Resend({ email }: { email: string }) {
  const [answer, setAnswer] = useState<string | null>(null)
  const { busy, submit } = useSubmission()
  const send = () =>
    void submit(async () => {
      const outcome = await sendConfirmationMail(email)
      setAnswer(outcome.done ? `We’ve sent another mail to ${email}.` : outcome.error)
      return 'ready'
    })
  return (
    <>
      <p className="mt-1">Please open the link in the mail we sent you, then sign in.</p>
      <button
        type="button"
        aria-disabled={busy || undefined}
        onClick={send}
        className={`${TEXT_LINK} min-h-8 text-current`}
      >
        {busy ? 'Sending...' : 'Send the mail again'}
      </button>
      {answer && <p role="status">{answer}</p>}
    </>
  )
}
