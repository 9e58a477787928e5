/** Where the choices are stored, as JSON. */
export const THEME_KEY = 'intercede-theme'
export const TEXT_SIZE_KEY = 'intercede-text-size'

/**
 * Shows the page in the theme and the text size that are stored; without them, as the system has it. The style sheet does the rest
 * (web/ui/tokens.css), and knows no other values. Free of imports, because this runs before the page is painted.
 */
export function showAppearance(): void {
  const { dataset } = document.documentElement
  const theme = readStoredText(THEME_KEY)
  dataset['theme'] = theme
  dataset['textSize'] = readStoredText(TEXT_SIZE_KEY)
  // The colour of the browser's own bars.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const own = meta.dataset['theme'] ?? ''
    const isChosen = theme === 'light' || theme === 'dark'
    if (isChosen) meta.media = theme === own ? 'all' : 'not all'
    else meta.media = `(prefers-color-scheme: ${own})`
  }
}

/** What is stored, as text: empty if there is nothing, or the browser does not allow reading it. */
export function readStoredText(key: string): string {
  try {
    return String(JSON.parse(localStorage.getItem(key) ?? '""'))
  } catch {
    return ''
  }
}
