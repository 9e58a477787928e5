/** The look of a link or of a button that is one in the run of a text. */
export const TEXT_LINK =
  'rounded-sm font-medium text-accent underline decoration-line-strong underline-offset-4 transition-colors ' +
  'hover:decoration-current'
