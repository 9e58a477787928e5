/** Copies a text. Resolves to false where that is not possible: on plain http, or because the user does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
