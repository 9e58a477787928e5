import { useEffect, useEffectEvent } from 'react'
import type { Form } from '#web/ui/use-form.ts'

/**
 * Focuses a field when the form appears, unless that would open the keyboard of a touch screen.
 *
 * @param always whether also then: nothing but the field is needed
 */
export function useInitialFocus({ props: { ref } }: Pick<Form, 'props'>, name: string, always = false): void {
  const focus = useEffectEvent(() => ref.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus())
  useEffect(() => {
    if (always || matchMedia('(pointer: fine)').matches) focus()
  }, [always])
}
