import { composeEmail } from '../../mail/compose-email.ts'
import type { LinkEmail } from '../email-templates.ts'

interface NoticeText {
  subject: string
  heading: string
  before: string
  after: readonly string[]
}

/** A notice about two-factor sign-in, whose link leads to the settings. */
function notice(write: (product: string) => NoticeText): LinkEmail {
  return ({ to, product, link }) => {
    const { before, ...text } = write(product)
    return composeEmail(to, { ...text, product, before: [before], action: 'Open the settings', link })
  }
}

/** Tells the owner of an account that its first authenticator app was added. */
export const twoFactorOnEmail = notice((product) => ({
  subject: `Two-factor sign-in is on for ${product}`,
  heading: 'Two-factor sign-in is on',
  before: `Signing in to your ${product} account now takes a code from your authenticator app as well. All other devices were signed out.`,
  after: [
    'Please keep your recovery codes in a safe place. You need one if you lose the app.',
    'If this was somebody else, please write to whoever runs this site as soon as you can: they can turn it off.',
  ],
}))

/** Tells the owner of an account that its last authenticator app was removed. */
export const twoFactorOffEmail = notice((product) => ({
  subject: `Two-factor sign-in is off for ${product}`,
  heading: 'Two-factor sign-in is off',
  before: `Signing in to your ${product} account no longer takes a code, and your recovery codes no longer work.`,
  after: [
    'If this was somebody else, please choose a new password, and turn two-factor sign-in on again in the settings.',
  ],
}))

/** Tells the owner of an account that whoever runs the server has removed its authenticator apps. */
export const twoFactorRemovedEmail = notice((product) => ({
  subject: `Two-factor sign-in was turned off for ${product}`,
  heading: 'Two-factor sign-in was turned off',
  before: `Whoever runs this site has removed the authenticator apps from your ${product} account, and your recovery codes no longer work. Signing in takes only your password.`,
  after: [
    'If you have asked for this, please choose a new password, and turn two-factor sign-in on again in the settings.',
    'If you have not, please write to whoever runs this site as soon as you can, and choose a new password.',
  ],
}))

/** Tells the owner of an account that a further authenticator app was added. */
export const appAddedEmail = notice((product) => ({
  subject: `Another authenticator app for ${product}`,
  heading: 'Another authenticator app',
  before: `A second authenticator app was added to your ${product} account. Its codes work as well.`,
  after: ['If this was somebody else, please remove the app in the settings, and choose a new password.'],
}))

/** Tells the owner of an account that one of two authenticator apps was removed. */
export const appRemovedEmail = notice((product) => ({
  subject: `An authenticator app for ${product} was removed`,
  heading: 'An authenticator app was removed',
  before: `One of the two authenticator apps was removed from your ${product} account. Signing in takes a code from the other one.`,
  after: [
    'If this was somebody else, please look in the settings which app is left, and choose a new password.',
  ],
}))

/** Tells the owner of an account that a recovery code was used, and how many are left. */
export const recoveryCodeUsedEmail = (left: number) =>
  notice((product) => ({
    subject: `A recovery code for ${product} was used`,
    heading: 'A recovery code was used',
    before: `Someone, we hope it was you, has signed in to your ${product} account with a recovery code. ${codesLeft(left)} You can make new ones in the settings.`,
    after: [
      'If this was somebody else, they know your password, and perhaps all your codes. Please choose a new password, and make new codes.',
    ],
  }))

/** Tells the owner of an account that new recovery codes have replaced others. */
export const recoveryCodesEmail = notice((product) => ({
  subject: `New recovery codes for ${product}`,
  heading: 'New recovery codes',
  before: `New recovery codes were made for your ${product} account. Those from before no longer work.`,
  after: ['If this was somebody else, please make new codes in the settings, and choose a new password.'],
}))

function codesLeft(left: number): string {
  if (left === 0) return 'It was the last one.'
  return left === 1 ? 'One is left.' : `${String(left)} are left.`
}
