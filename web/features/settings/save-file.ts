/** Long after any browser has begun to save. */
const KEPT_MS = 60_000

/** Gives the person a file to keep. It is made in the page and never travels. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}
