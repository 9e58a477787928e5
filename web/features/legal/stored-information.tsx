import { LegalList } from './legal-page.tsx'

/** What is stored, and where. A test checks that it mentions every column of the database with personal data. */
export function StoredInformation({ productName }: { productName: string }) {
  return (
    <>
      <p>In the operator&rsquo;s PostgreSQL database, {productName} stores:</p>
      <LegalList>
        <li>
          <strong>Your account:</strong> your e-mail address and when it was confirmed, how you sign in
          (password or X), when you signed up, last signed in, last changed something about your account and
          were last sent an e-mail, and your password, only as a one-way hash. If the address is never
          confirmed, the account is deleted after 30 days. Also when you were invited, if you were (an
          invitation that nobody accepts is deleted after seven days), and until when it is blocked, if it is.
          (The hash is Argon2id; bcrypt is possible for an account that was moved here from elsewhere or is
          kept in a Supabase project.)
        </li>
        <li>
          <strong>What the operator has done to your account,</strong> such as inviting you, blocking it or
          deleting it: what and when, with your account&rsquo;s id, for a year.
        </li>
        <li>
          <strong>Your sessions:</strong> for each device you are signed in on, when the session began and was
          last renewed, how you signed in, the refresh tokens that keep it going (used ones for a day, to
          detect stolen ones), and the browser&rsquo;s name and network address. A session is deleted when you
          sign out, when you set a new password elsewhere, when the operator signs you out, or after a year
          without use; then a hash of it, and of your account&rsquo;s id, stays for 30 days, so that the
          device learns that it was ended. Also a hash of each network you have signed in from and when you
          last signed in there, so that nobody else&rsquo;s guesses or requests lock you out at home; deleted
          after a year.
        </li>
        <li>
          <strong>Your authenticator apps,</strong> if two-factor sign-in is on: the name that you gave each
          app, its secret (encrypted), when it was added and when its codes were last asked for and used; and
          hashes of your unused recovery codes.
        </li>
        <li>
          <strong>Your X profile,</strong> if you sign in with X: your name, user name and id there, your
          picture and its address, your e-mail address, and when you first and last signed in with X. While
          you are signing in there, a random number and the page you will return to, for about a quarter of an
          hour.
        </li>
        <li>
          <strong>Your categories and prayers:</strong> names, order, visibility and days of the week of
          categories; for each prayer the person&rsquo;s name, your note, its category, whether it is
          resolved, when and how it was answered, when you want to pray for it and the days on which you did;
          your updates; when each was created or last changed; how many there are, how long their texts are
          and how much has changed within the hour, because all of that is limited; and a number for each
          change and the ids of deleted ones, without their texts, so that your other devices can follow. If
          you encrypt names and texts, they are stored in encrypted form only, with the id of each prayer key,
          whether it is in use, and a number and a proof by which your devices recognise that; never the key.
        </li>
        <li>
          <strong>Your reminders:</strong> for each its time, weekdays and time zone, how you want to receive
          them, whether it is on, when each was created, when it is due next, a day on which you want no more,
          and whether your address refused one; and reminders that are just being sent. For each browser that
          shows notifications, the address at its maker&rsquo;s push service, two keys for encrypting them and
          when it was turned on, until you sign out there. That service learns when a message is sent, but
          cannot read it; neither messages nor e-mails contain names.
        </li>
        <li>
          <strong>Links and codes in e-mails:</strong> for a link to set a new password or confirm an address,
          and for a code, a hash of the link or code, its purpose, your e-mail address and the time; and a new
          address that you have asked for. Until they are used or a week after they have expired.
        </li>
        <li>
          <strong>Attempts:</strong> how often a network address has recently tried to sign in, sign up, open
          a link or request an e-mail, and for which e-mail address (as a hash) an e-mail was requested and
          how often someone has entered a wrong password or code, so that nobody can guess them or flood a
          mailbox. Deleted after about a day.
        </li>
      </LegalList>
      <p>
        Prayers can touch on faith and health, your own and other people&rsquo;s. You decide what to write; a
        first name is often enough.
      </p>
      <p>
        <strong>In your browser,</strong> {productName} keeps your session in local storage so that you stay
        signed in, and in IndexedDB a copy of your categories and prayers, with the changes that have not
        reached the server yet, so that it works without a connection. Signing out removes all of it. If your
        session ends in another way, such changes stay for 30 days, or until someone discards them; so does
        the rest of the copy, hidden until you sign in, if the server has lost your session or you did not
        give the code of two-factor sign-in. Local storage lists by id whose changes these are, and until when
        they stay. It also has a hash of an address you have signed up with, until you open the link that
        confirms it, and the choices you made for praying, the ids of the prayers on today&rsquo;s page, in
        the last session and prayed last, and the address under which your browser receives notifications,
        until you sign out, and, beyond that, whether you have switched keyboard shortcuts off, what you have
        chosen under &ldquo;Appearance&rdquo;, and, until an account is deleted here, that somebody has signed
        in with this browser before, but not who. Of an encrypted account, it keeps just as long, by its id,
        what shows whether the server tells the truth about the prayer key, but not the key itself, and a
        number that tells its email address from most others. You can switch the copy off under &ldquo;On this
        device&rdquo; in the settings. When you go to X to sign in, it also notes that in local storage until
        you come back.
      </p>
      <p>
        In session storage, for a single tab, {productName} keeps which page you asked for, a link from an
        e-mail until you have used it, that you are about to delete your account, what you have searched for,
        and what you have typed but not saved or another app has shared with this one, until you save it, sign
        out or close the tab.
      </p>
      <p>
        The app itself, without anything of yours, stays in the browser so that it opens without the network.
        It sets no cookies and contains no analytics, advertising or tracking.
      </p>
      <p>
        The server&rsquo;s log can record the kind, result and duration of each request, and what went wrong,
        without prayers, passwords, tokens or network addresses. A web host or proxy that the operator places
        in front of it may keep its own logs.
      </p>
    </>
  )
}
