/** A mail as it is written, before it is sent. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

/** Where mails go. */
export interface Mailer {
  /** Resolves when the mail was taken over; rejects when it was not, within seconds. */
  send(mail: Mail): Promise<void>
  /** As much of sending as can be done without a mail; rejects as `send` would. */
  probe(): Promise<void>
}
