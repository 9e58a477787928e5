import { composeLetter } from './letter.ts'
import type { LinkLetter } from './link-letter.ts'

/** Asks whether the person wants a new password. */
export const recoveryLetter: LinkLetter = ({ to, product, link }) =>
  composeLetter({
    to,
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
      'If you did not ask for this, you need not do anything. Your password stays as it is.',
    ],
  })
