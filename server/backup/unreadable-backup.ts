/** What is wrong with a file, as the end of the sentence "FILE can't be restored: it …". */
export class UnreadableBackup extends Error {
  override readonly name = 'UnreadableBackup'
}

export function damaged(): UnreadableBackup {
  return new UnreadableBackup('it is damaged')
}

export function cutOff(): UnreadableBackup {
  return new UnreadableBackup('it ends too early')
}
