import { LegalList } from './legal-page.tsx'

/** What the software keeps, and where: true to the last column. */
export function StoredInformation({ productName }: { productName: string }) {
  return (
    <>
      <p>In the operator&rsquo;s PostgreSQL database, {productName} stores:</p>
      <LegalList>
        <li>
          <strong>Your account:</strong> your e-mail address and when it was confirmed, by what you sign in
          (password or X), when you signed up, last signed in, last changed something about your account and
          were last sent mail, and your password only as a one-way hash (Argon2id; for an account that was
          moved here from elsewhere or lives in a Supabase project it can be bcrypt). If nobody ever confirms
          the address, the account is deleted after 30 days.
        </li>
        <li>
          <strong>Your sessions:</strong> for each device you are signed in on, when the session began and was
          last renewed, by what you signed in, the refresh tokens that keep it going (used ones for a day, to
          notice stolen ones), and the browser&rsquo;s name and network address. It is deleted when you sign
          out or set a new password elsewhere, or after a year without use.
        </li>
        <li>
          <strong>Your X profile,</strong> if you sign in with X: your name, user name and id there, your
          picture and its address, your e-mail address, and when you first and last came from X. While you are
          there, a random number and the page you will return to, for about a quarter of an hour.
        </li>
        <li>
          <strong>Your categories and prayers:</strong> names, order and visibility of categories; for each
          prayer the person&rsquo;s name, your note, its category and whether it is resolved; and when each
          was written or last changed.
        </li>
        <li>
          <strong>Mailed links:</strong> for a new password or a confirmation, the link as a hash, what it is
          for, your e-mail address and the time, until the link has been used or has been out of date for a
          week.
        </li>
        <li>
          <strong>Attempts:</strong> how often a network address has lately tried to sign in, to sign up, to
          open a link or to have mail sent, and for which e-mail address (as a hash) mail was asked for, so
          that nobody can guess passwords or flood a mailbox. Deleted after about a day.
        </li>
      </LegalList>
      <p>
        Prayers can touch on faith and health, your own and other people&rsquo;s. You decide what to write; a
        first name is often enough.
      </p>
      <p>
        <strong>In your browser,</strong> {productName} keeps your session in local storage so that you stay
        signed in, and removes it when you sign out; and, if you leave for X, that you did, until you come
        back. In session storage, for one tab alone, it keeps which page you asked for, a mailed link until
        you have used it, that you are about to delete your account, and what you typed and have not saved
        yet, until you save it, sign out or close the tab. It sets no cookies and contains no analytics,
        advertising or tracking.
      </p>
      <p>
        The server&rsquo;s log can note the kind, result and duration of each request, and what went wrong,
        without prayers, passwords, tokens or network addresses. A web host or proxy that the operator places
        in front of it may keep logs of its own.
      </p>
    </>
  )
}
