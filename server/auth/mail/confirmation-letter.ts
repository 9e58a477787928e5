import { composeLetter } from './letter.ts'
import type { LinkLetter } from './link-letter.ts'

/** Asks whether the address is the person's own. */
export const confirmationLetter: LinkLetter = ({ to, product, link }) =>
  composeLetter({
    to,
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
      `If you did not sign up for ${product}, you need not do anything. Without a confirmation nobody can use this address.`,
    ],
  })
