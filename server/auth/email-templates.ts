import { composeEmail } from '../mail/compose-email.ts'
import type { Email } from '../mail/mailers.ts'

/** Composes an email that asks the user to open a link. */
export type LinkEmail = (given: { to: string; product: string; link: string }) => Email

/** Asks the user to confirm that the email address is theirs. */
export const confirmationEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `Confirm your address for ${product}`,
    heading: `Welcome to ${product}`,
    before: [
      `It is good to have you here. Please confirm that this address is yours, and your account is ready:`,
    ],
    action: 'Confirm my address',
    link,
    after: [
      'The link works once, for one hour.',
      `If you did not sign up for ${product}, please leave the link unopened: without it, nobody can use this address. If you have opened it already, choose a password there, and only you can sign in.`,
    ],
  })

/** Asks somebody to open an account that whoever runs the server has made for them. */
export const invitationEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `You are invited to ${product}`,
    heading: `You are invited to ${product}`,
    before: [
      `Whoever runs this site has invited you to ${product}, a place to keep your prayers. This link lets you choose a password, and your account is ready:`,
    ],
    action: 'Choose a password',
    link,
    after: [
      'The link works once, for seven days. Please pass it on to nobody: the account would be theirs.',
      'If you did not expect this, you need not do anything. Unless the link is opened, there will be no account.',
    ],
  })

/** Answers a sign-up with the address of an account: it may be the owner's, who has forgotten about it. */
export const existingAccountEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `You already have an account for ${product}`,
    heading: 'You already have an account',
    before: [
      `Someone, we hope it was you, tried to sign up for ${product} with this address. It already has an account, so nothing was changed.`,
      'Sign in with the password you have chosen before, or with X if that is how you signed up:',
    ],
    action: 'Sign in',
    link,
    after: [
      'If you did not try to sign up, you need not do anything.',
      'If you have forgotten your password, you can choose a new one:',
    ],
    secondary: { action: 'Choose a new password', link: `${link}?mode=reset` },
  })

/** Lets a user who forgot their password choose a new one. */
export const recoveryEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `Set a new password for ${product}`,
    heading: 'Set a new password',
    before: [
      `Someone, we hope it was you, asked for a new password for your ${product} account.`,
      'Everything you have kept there is safe and waiting for you. This link lets you choose a new password:',
    ],
    action: 'Choose a new password',
    link,
    after: [
      'The link works once, for one hour. When your password is changed, all other devices are signed out.',
      'If you did not ask for this, you need not do anything. Unless the link is opened, your password stays as it is.',
    ],
  })

/** Asks the owner of a new address whether it may become that of an account. */
export const newAddressEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `Confirm your new address for ${product}`,
    heading: 'Confirm your new address',
    before: [
      `Someone, we hope it was you, asked to use this address for their ${product} account. Please confirm that it is yours:`,
    ],
    action: 'Confirm this address',
    link,
    after: [
      'The link works once, for one hour. If your present address has received a link as well, open both, in either order.',
      'If you did not ask for this, please leave the link unopened: without it, nothing changes.',
    ],
  })

/** Asks at the present address whether an account may have another one. */
export const presentAddressEmail = (given: {
  to: string
  newAddress: string
  product: string
  link: string
}): Email =>
  composeEmail(given.to, {
    product: given.product,
    subject: `Change your address for ${given.product}?`,
    heading: 'Change your address?',
    before: [
      `Someone, we hope it was you, asked to use ${given.newAddress} for your ${given.product} account, instead of this address. Please confirm that you want this:`,
    ],
    action: 'Change my address',
    link: given.link,
    after: [
      'The link works once, for one hour. Please also open the one that we have sent to the new address, in either order.',
      'If you did not ask for this, please leave the link unopened: your account keeps this address. Someone else may know your password, so please choose a new one.',
    ],
  })

/** Tells the owner of an account that someone wanted to have its address for another account. */
export const addressInUseEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `This address already has an account for ${product}`,
    heading: 'This address already has an account',
    before: [
      `Someone, we hope it was you, asked to use this address for another ${product} account. It already has an account of its own, so nothing was changed.`,
      'If it was you, sign in to the account that has this address:',
    ],
    action: 'Sign in',
    link,
    after: ['If it was not you, you need not do anything. Nobody else can use this address.'],
  })

/** Tells the former address of an account that it has another one. */
export const addressChangedEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `Your address for ${product} was changed`,
    heading: 'Your address was changed',
    before: [
      `Your ${product} account now has another email address, and this one no longer belongs to it. If this was you, you need not do anything.`,
      'If it was somebody else, open the settings on a device where you are still signed in, choose a new password, and change the address back:',
    ],
    action: 'Open the settings',
    link,
    after: ['If you are not signed in anywhere, please write to whoever runs this site as soon as you can.'],
  })

/** Tells the owner of an account that it has a new password. */
export const passwordChangedEmail: LinkEmail = ({ to, product, link }) =>
  composeEmail(to, {
    product,
    subject: `Your password for ${product} was changed`,
    heading: 'Your password was changed',
    before: [
      `Your ${product} account has a new password, and all other devices were signed out. If this was you, you need not do anything.`,
      'If it was somebody else, ask for a link to set another password, which signs them out:',
    ],
    action: 'Set another password',
    link,
    after: ['If that does not help, please write to whoever runs this site as soon as you can.'],
  })

/** A code that proves that the user reads the emails of their account. */
export const reauthenticationEmail = (given: { to: string; product: string; code: string }): Email =>
  composeEmail(given.to, {
    product: given.product,
    subject: `Your code for ${given.product}`,
    heading: 'Your code',
    before: ['Please enter this code where you have asked for it:'],
    code: given.code,
    after: [
      'The code works for one change, within one hour.',
      `If you did not ask for it, give it to nobody: someone else is signed in to your ${given.product} account. Please choose a new password.`,
    ],
  })
