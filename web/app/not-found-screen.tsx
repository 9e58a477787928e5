import { Link } from 'wouter'
import { SIGN_IN } from '#web/lib/navigation/routes.ts'
import { buttonStyle } from '#web/ui/button.tsx'

export function NotFoundScreen() {
  return (
    <div className="m-auto flex max-w-prose flex-col items-center gap-6 px-6 py-16 text-center">
      <LanternPath />
      <h1 tabIndex={-1} className="text-3xl tracking-tight">
        Oops!! Page not found
      </h1>
      <p className="text-ink-soft">This path leads nowhere, but the way home is not far.</p>
      <Link href={SIGN_IN} className={buttonStyle('primary')}>
        Return Home
      </Link>
    </div>
  )
}

/** A path that disappears behind a hill. */
function LanternPath() {
  return (
    <svg
      viewBox="0 0 240 120"
      className="w-60 max-w-full"
      aria-hidden="true"
      fill="none"
      strokeLinecap="round"
    >
      <circle cx="164" cy="46" r="15" className="fill-ink-faint" opacity="0.85" />
      <path d="M164 16v7M143 25l5 5M185 25l-5 5" className="stroke-ink-faint" strokeWidth="2.5" />
      <path
        d="M4 92c40-34 84-46 122-40s78 10 110-14V120H4z"
        className="fill-paper forced-colors:fill-[Canvas]"
      />
      <path d="M4 92c40-34 84-46 122-40s78 10 110-14" className="stroke-line-strong" strokeWidth="2" />
      <path
        d="M62 116c6-16 44-14 46-28s-34-12-24-24 30-6 38-12"
        className="stroke-accent"
        strokeWidth="3.5"
        strokeDasharray="1 9"
      />
    </svg>
  )
}
