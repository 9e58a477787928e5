import { useEffect, useEffectEvent } from 'react'
import type { Form } from '#web/ui/use-form.ts'

/** Focuses a field when the form appears, unless that would open the keyboard of a touch screen. */
export function useInitialFocus({ props: { ref } }: Pick<Form, 'props'>, name: string): void {
  const focus = useEffectEvent(() => ref.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus())
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) focus()
  }, [])
}
