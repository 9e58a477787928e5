import { act, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactElement, ReactNode } from 'react'
import { type UserData, UserDataContext } from './data/rows.ts'
import { AnnouncementProvider } from './ui/announcements.tsx'

/** Renders what reads the data of a user, and announces what it has done. */
export function renderWithData(element: ReactElement, data: UserData) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <UserDataContext value={data}>
      <AnnouncementProvider>{children}</AnnouncementProvider>
    </UserDataContext>
  )
  return render(element, { wrapper })
}

/** Presses the button with this name, and waits for what it does at once. */
export function press(name: string | RegExp, inside: HTMLElement = document.body) {
  return act(async () => void fireEvent.click(within(inside).getByRole('button', { name })))
}

/** Puts a value into the field with this label. */
export function enter(label: string | RegExp, value: string): void {
  const field = screen.getByLabelText(label)
  fireEvent.input(field, { target: { value } })
  // React notices what is selected in a `select` only by this event.
  fireEvent.change(field)
}

/** Submits the form of the field with this label, as Enter does, and waits for what that does at once. */
export function submitFormOf(label: string | RegExp) {
  const form = screen.getByLabelText(label).closest('form')
  return act(async () => void fireEvent.submit(form ?? document.body))
}
