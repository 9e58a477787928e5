import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { SIGN_IN } from '#web/lib/navigation/routes.ts'
import { ArrowLeftIcon } from '#web/ui/page-icons.tsx'
import { PillLink } from '#web/ui/pill-link.tsx'

type LegalPageProps = { title: string; introduction: ReactNode; children: ReactNode }

/** A page of running text, at a readable width. */
export function LegalPage({ title, introduction, children }: LegalPageProps) {
  return (
    <article className="mx-auto w-full max-w-prose px-5 py-12 sm:py-16">
      <div className="pb-8 print:hidden">
        <Link href={SIGN_IN} onClick={goBack} asChild>
          <PillLink>
            <ArrowLeftIcon />
            Back
          </PillLink>
        </Link>
      </div>
      <header className="border-b border-line pb-8">
        <h1 tabIndex={-1} className="text-3xl tracking-tight">
          {title}
        </h1>
        <div className="mt-5 space-y-4 text-lg leading-relaxed text-ink-soft">{introduction}</div>
      </header>
      {children}
    </article>
  )
}

/** To where the reader comes from; where that is nowhere, the link leads to the first screen. */
function goBack(event: MouseEvent): void {
  if (history.length === 1) return
  event.preventDefault()
  history.back()
}

type LegalSectionProps = { id: string; title: string; number?: number; children: ReactNode }

/** A section that can be linked to by its id. */
export function LegalSection({ id, title, number, children }: LegalSectionProps) {
  const headingId = `${id}-heading`
  return (
    <section id={id} aria-labelledby={headingId} className="mt-10 scroll-mt-6">
      <h2 id={headingId} className="text-xl">
        {number !== undefined && (
          <>
            <span className="text-ink-faint">{number}.</span>{' '}
          </>
        )}
        {title}
      </h2>
      <div className="mt-3 space-y-4 leading-relaxed text-ink">{children}</div>
    </section>
  )
}

export function LegalList({ children }: { children: ReactNode }) {
  return <ul className="list-disc space-y-2 pl-5">{children}</ul>
}
