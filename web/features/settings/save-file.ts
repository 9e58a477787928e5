/** Longer than any browser needs to start saving a file. */
const SAVE_TIMEOUT_MS = 60_000

/** Has the browser save a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), SAVE_TIMEOUT_MS)
}
