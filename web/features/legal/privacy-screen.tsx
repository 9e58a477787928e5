import { Link } from 'wouter'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { LegalList, LegalPage, LegalSection } from './legal-page.tsx'
import { StoredInformation } from './stored-information.tsx'

/** /privacy: what this software stores, who can see it, and whom to ask. */
export function PrivacyScreen({ productName }: { productName: string }) {
  return (
    <LegalPage
      title="Privacy Policy"
      introduction={
        <>
          <p>
            {productName} is software that anyone can run. Whoever runs this installation, the operator, is
            responsible for the data in it.
          </p>
          <p>
            In short: your prayers are shown to you alone, nobody is tracking you, and nothing is sold. They
            are not hidden from the operator&rsquo;s own machines, and this page does not pretend otherwise.
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
          (such as a link to set a new password), and to keep others out of your account. That is all. Nobody
          draws up profiles, shows advertising or analyzes what you write.
        </p>
      </LegalSection>
      <LegalSection id="sharing" title="Sharing">
        <p>Your data is not sold, rented or traded, and other people who use {productName} cannot see it.</p>
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
          refuses everybody else&rsquo;s request. Links in e-mails work once and expire. When the address of
          this site begins with https, everything is encrypted on its way between your browser and the server.
        </p>
        <p>
          Prayers are not end-to-end encrypted. Whoever administers the server or its database could
          technically read them, and so could whoever gets hold of an unprotected backup. No system is
          perfectly secure: please do not write down what must never be read by anyone else.
        </p>
      </LegalSection>
      <LegalSection id="your-rights" title="Your rights">
        <p>
          You can see, change and delete your prayers and categories in {productName} at any time. What you
          delete is removed from the database at once; it can remain in the operator&rsquo;s backups until
          these are replaced. Everything else stays until your account is deleted, except for what goes
          earlier as described above.
        </p>
        <p>
          From the account menu you can save a file of everything that is stored about you, bring the prayers
          of such a file back, and delete your account. Deleting it removes everything listed above at once,
          on every device, except for the attempts, which name nobody and go after about a day. You can also
          ask the operator for this, or for a correction. The law where you live may give you further rights,
          such as to object or to complain to a data protection authority.
        </p>
      </LegalSection>
      <LegalSection id="third-party-authentication" title="Third-party authentication">
        <p>
          If this installation offers it, you can sign in with X (formerly Twitter) instead of a password. X
          then learns that you use this site, and tells it who you are: your name, user name, picture and
          confirmed e-mail address. The permissions that X asks you for include reading posts and staying
          connected; {productName} reads no posts and never posts anything.
        </p>
        <p>
          The key that X issues for this is not stored on the server; it comes to your browser together with
          your session. This server fetches your profile picture from X when you sign in, and shows you its
          own copy, so X does not learn when you are here. (Where the app runs against a Supabase project, or
          from another address than its server, your browser loads the picture from X instead, which then sees
          your network address.) What X does with its data is stated in{' '}
          <a href="https://x.com/privacy" rel="noreferrer" className={TEXT_LINK}>
            X&rsquo;s own privacy policy
          </a>
          , and you can withdraw the permission in your settings there. If you never use X, nothing is sent to
          it.
        </p>
      </LegalSection>
      <LegalSection id="changes" title="Changes to this policy">
        <p>
          This page describes the version of {productName} that is running here and changes together with it.
          If the operator does more with your data than is written here, the operator has to tell you.
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
