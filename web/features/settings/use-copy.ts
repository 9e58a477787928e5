import { copyText } from '#web/lib/copy-text.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'

/**
 * Returns a function that copies a text, or else selects it where it is shown.
 *
 * @param selected what to announce in that case
 */
export function useCopy(selected: string) {
  const announce = useAnnounce()
  const copy = async (text: string, shown: HTMLElement | null) => {
    if (await copyText(text)) return announce('Copied')
    if (shown) getSelection()?.selectAllChildren(shown)
    announce(selected)
  }
  return (text: string, shown: HTMLElement | null) => void copy(text, shown)
}
