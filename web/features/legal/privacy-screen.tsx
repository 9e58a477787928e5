import { Link } from 'wouter'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { LegalList, LegalPage, LegalSection } from './legal-page.tsx'
import { StoredInformation } from './stored-information.tsx'

/** The screen at /privacy. */
export function PrivacyScreen({ productName }: { productName: string }) {
  return (
    <LegalPage
      title="Privacy Policy"
      introduction={
        <>
          <p>
            {productName} is software that anyone can run. The person or organization that runs this
            installation, the operator, is responsible for the data in it.
          </p>
          <p>
            In short: your prayers are shown to you alone, you are not tracked, and nothing is sold. Your
            prayers are, however, stored on the operator&rsquo;s machines in a readable form, unless you make
            a prayer key (in the settings, under &ldquo;Who can read your prayers&rdquo;).
          </p>
        </>
      }
    >
      <LegalSection id="information-collected" title="Information we collect">
        <StoredInformation productName={productName} />
      </LegalSection>
      <LegalSection id="use" title="How we use it">
        <p>
          To sign you in, to show you your own lists on every device you use, to send the messages you ask for
          (such as a link to set a new password), and to keep others out of your account. That is all. There
          are no profiles and no advertising, and what you write is not analyzed.
        </p>
      </LegalSection>
      <LegalSection id="sharing" title="Sharing">
        <p>Your data is not sold, rented or traded, and other users of {productName} cannot see it.</p>
        <LegalList>
          <li>
            <strong>Hosting.</strong> The operator may use a hosting company, a database service or a Supabase
            project to run this installation. These then hold the data on the operator&rsquo;s behalf.
          </li>
          <li>
            <strong>E-mail.</strong> A message to you passes through the operator&rsquo;s mail service and
            your own, which see your address and the message. Without a mail service, it is written to a file
            that the operator reads.
          </li>
          <li>
            <strong>X.</strong> Involved only if you sign in with it: see{' '}
            <a href="#third-party-authentication" className={TEXT_LINK}>
              Third-party authentication
            </a>
            .
          </li>
          <li>
            <strong>The law.</strong> An operator can be obliged by law to hand over data.
          </li>
        </LegalList>
      </LegalSection>
      <LegalSection id="security" title="Security">
        <p>
          The database itself ties every category and every prayer to its owner (row level security) and
          rejects requests from anyone else. Links in e-mails work once and expire. When the address of this
          site begins with https, everything is encrypted in transit between your browser and the server.
        </p>
        <p>
          Prayers are not end-to-end encrypted unless you have made a prayer key in the settings. Without one,
          whoever administers the server or its database could technically read them, and so could anyone who
          obtains an unprotected backup. No system is perfectly secure: please do not write anything that must
          never be read by anyone else.
        </p>
      </LegalSection>
      <LegalSection id="your-rights" title="Your rights">
        <p>
          You can see, change and delete your prayers and categories in {productName} at any time. What you
          delete is removed from the database immediately; it can remain in the operator&rsquo;s backups until
          these are replaced. Everything else is kept until your account is deleted, except for what is
          deleted earlier as described above.
        </p>
        <p>
          In the settings you can save a file with everything that is stored about you, import the prayers
          from such a file, and delete your account. This immediately removes everything listed above, on all
          devices, except for the attempts, which do not name you and are deleted after about a day. You can
          also ask the operator to do this, or to correct something. The law where you live may give you
          further rights, such as the right to object or to complain to a data protection authority.
        </p>
      </LegalSection>
      <LegalSection id="third-party-authentication" title="Third-party authentication">
        <p>
          If this installation offers it, you can sign in with X (formerly Twitter) instead of a password. X
          then learns that you use this site, and shares with it who you are: your name, user name, picture
          and confirmed e-mail address. The permissions that X asks you for include reading posts and staying
          connected; {productName} reads no posts and never posts anything.
        </p>
        <p>
          The access token that X issues is not stored on the server; it is sent to your browser together with
          your session. This server fetches your profile picture from X when you sign in and shows you its own
          copy, so X does not learn when you use this site. (If the app uses a Supabase project, or has a
          different address from its server, your browser loads the picture from X instead, and X then sees
          your network address.) What X does with its data is explained in{' '}
          <a href="https://x.com/privacy" rel="noreferrer" className={TEXT_LINK}>
            X&rsquo;s own privacy policy
          </a>
          , and you can revoke the permission in your settings there. If you never use X, nothing is sent to
          it.
        </p>
      </LegalSection>
      <LegalSection id="changes" title="Changes to this policy">
        <p>
          This page describes the version of {productName} that is running here and changes together with it.
          If the operator does more with your data than is described here, the operator has to tell you.
        </p>
      </LegalSection>
      <LegalSection id="contact" title="Contact">
        <p>
          Questions and requests go to the operator of this installation: the person, congregation or
          organization that runs it or invited you to it. The authors of the program have no access to the
          data kept here. The rules of use are in the{' '}
          <Link href="/terms" className={TEXT_LINK}>
            Terms of Service
          </Link>
          .
        </p>
      </LegalSection>
    </LegalPage>
  )
}
