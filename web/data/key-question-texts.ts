/** What to ask before devices are signed out, in whatever state an encrypted account is. */
export const KEY_QUESTION =
  'Do you have your prayer key? Devices that are signed out forget it, and ask for it when you sign in again. Without it, first make a new one in the settings of a device that shows your prayers.'

/** The same while a new key takes the place of another one. */
export const BOTH_KEYS_QUESTION =
  'Your prayers are still being encrypted with your new prayer key. Do you have it, and the one before? Devices that are signed out forget both, and ask for them when you sign in again: what only the earlier one opens is lost without it.'

/** The same if it cannot be found out whether the account is encrypted. */
export const UNSURE_QUESTION =
  'If your prayers are encrypted, do you have your prayer key? Devices that are signed out forget it, and ask for it when you sign in again. Without it, first make a new one in the settings of a device that shows your prayers.'
