import { useState } from 'react'
import { isRecord } from '#shared/is-record.ts'

/**
 * What the user has chosen to see on a screen, kept with the entry of the history: after "back", the screen is as it was left.
 *
 * @param name must not contain what the user has typed: browsers keep it after signing out
 */
export function useEntryFlag(name: string): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => {
    const state: unknown = history.state
    return isRecord(state) && state[name] === true
  })
  const change = (changed: boolean) => {
    setOn(changed)
    history.replaceState({ ...history.state, [name]: changed }, '')
  }
  return [isOn, change]
}
