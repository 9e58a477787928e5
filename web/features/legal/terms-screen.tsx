import { useState } from 'react'
import { Link } from 'wouter'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { LegalList, LegalPage, LegalSection } from './legal-page.tsx'

type TermsScreenProps = {
  productName: string
  /** Defaults to the current date. */
  today?: Date
  /** A BCP 47 tag; defaults to the browser's language. */
  locale?: string | undefined
}

/** The screen at /terms. */
export function TermsScreen({ productName, today, locale }: TermsScreenProps) {
  const [openedAt] = useState(() => new Date())
  return (
    <LegalPage
      title="Terms of Service"
      introduction={
        <>
          <p>
            These terms are an agreement between you and the operator: the person or organization that runs
            this installation of {productName}.
          </p>
          <LastUpdated date={today ?? openedAt} locale={locale} />
        </>
      }
    >
      <LegalSection id="acceptance" number={1} title="Acceptance of these terms">
        <p>
          By creating an account or using {productName} you accept these terms. If you do not accept them,
          please do not use it. How your data is treated is described in the{' '}
          <Link href="/privacy" className={TEXT_LINK}>
            Privacy Policy
          </Link>
          .
        </p>
      </LegalSection>
      <LegalSection id="use-license" number={2} title="Use license">
        <p>
          You may use {productName} for personal, non-commercial purposes: to keep prayers for the people you
          care about. This permission applies to you alone and ends if you break these terms. You may not:
        </p>
        <LegalList>
          <li>sell or rent out access to this installation, or use it to advertise;</li>
          <li>use it to break the law or to harm, harass or expose anyone;</li>
          <li>try to reach accounts or data that are not yours, or get around its limits and protections;</li>
          <li>put so much load on it that others can no longer use it.</li>
        </LegalList>
        <p>
          The program itself is published under a license of its own, and nothing here takes away what that
          license gives you.
        </p>
      </LegalSection>
      <LegalSection id="user-account" number={3} title="Your account">
        <p>
          Your account is for one person. Use an e-mail address of your own, since it is needed to reset a
          forgotten password; keep your password to yourself; and tell the operator if you think that someone
          else has been using your account. You are responsible for what is done with it until then.
        </p>
        <p>
          You can stop using {productName} at any time. The operator may suspend or close an account that
          breaks these terms.
        </p>
      </LegalSection>
      <LegalSection id="user-content" number={4} title="Your content">
        <p>
          The categories, names and notes you write remain yours. You allow the operator to store them and to
          show them to you, as far as running {productName} requires it, and no further.
        </p>
        <p>
          You are responsible for what you write. A prayer is often about someone else: write about others
          with the care you would wish for yourself, and keep nothing here that the law forbids you to keep.
        </p>
      </LegalSection>
      <LegalSection id="disclaimer" number={5} title="Disclaimer">
        <p>
          {productName} is provided as it is and as it is available, without warranties of any kind, express
          or implied, as far as the law permits. There is no promise that it will always be available or free
          of errors, or that data can never be lost; please keep a copy of anything you cannot afford to lose.
        </p>
        <p>It is a place to keep prayers. It does not give medical, legal or other professional advice.</p>
      </LegalSection>
      <LegalSection id="limitation-of-liability" number={6} title="Limitation of liability">
        <p>
          As far as the law permits, neither the operator nor the authors of the program are liable for
          indirect or consequential damage, or for loss of data, that comes from using {productName} or from
          not being able to use it. Liability that the law does not allow to be limited, and rights that it
          gives you as a consumer, remain unaffected.
        </p>
      </LegalSection>
      <LegalSection id="changes" number={7} title="Changes to these terms">
        <p>
          The operator may change these terms. This page always shows the ones in force on the day you read
          it, which is the date given at the top. If you go on using {productName} after a change, you accept
          the changed terms; if you do not agree with them, you can stop using it and ask the operator to
          delete your account.
        </p>
      </LegalSection>
    </LegalPage>
  )
}

/** The date in the format and language of the reader; `lang` marks it, as the page itself is in English. */
function LastUpdated({ date, locale }: { date: Date; locale: string | undefined }) {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  return (
    <p className="text-sm">
      Last updated:{' '}
      <time dateTime={localDay(date)} lang={format.resolvedOptions().locale}>
        {format.format(date)}
      </time>
    </p>
  )
}

/** YYYY-MM-DD in the reader's time zone (`toISOString` would use UTC). */
function localDay(date: Date): string {
  const month = String(date.getMonth() + 1).padStart(2, '0')
  const day = String(date.getDate()).padStart(2, '0')
  return `${String(date.getFullYear())}-${month}-${day}`
}
