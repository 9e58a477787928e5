import type { Mail } from './mailer.ts'

/** Writes the mail that carries a link to a person. */
export type LinkLetter = (given: { to: string; product: string; link: string }) => Mail
