import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { press } from '#web/test-rendering.tsx'
import { TurnOffReminderScreen } from './turn-off-reminder-screen.tsx'

const TOKEN = 'f2a1.2026-11-03.c2ln'

let calls: string[]
let respond: (call: string) => Response

beforeEach(() => {
  calls = []
  respond = (call) => Response.json({ enabled: call.includes('/on?'), remind_at: '07:00' })
  vi.stubGlobal('fetch', async (input: string, { method = 'GET' }: RequestInit = {}) => {
    const { pathname, search } = new URL(input, 'http://localhost')
    calls.push(`${method} ${pathname}${search}`)
    return respond(calls.at(-1) ?? '')
  })
})

afterEach(() => history.replaceState(null, '', '/'))

async function open(token: string) {
  history.replaceState(null, '', `/turn-off-reminder${token === '' ? '' : `#${token}`}`)
  render(<TurnOffReminderScreen />)
  await act(async () => {})
}

const said = () => screen.getByRole('status').textContent

it('turns the reminder off without a question, and on and off again', async () => {
  await open(TOKEN)
  await expect.poll(said).toBe('Your 07:00 reminder is off.')
  await press('Turn it on again')
  await expect.poll(said).toBe('Your 07:00 reminder is on again.')
  await press('Turn it off')
  await expect.poll(said).toBe('Your 07:00 reminder is off.')
  expect(calls).toEqual(['off', 'on', 'off'].map((path) => `POST /reminders/v1/${path}?token=${TOKEN}`))
})

it('leaves nothing in the address that could be used again', async () => {
  await open(TOKEN)
  expect(location.hash).toBe('')
  expect(location.pathname).toBe('/turn-off-reminder')
})

it('offers to try again what did not work', async () => {
  respond = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  await open(TOKEN)
  expect((await screen.findByRole('alert')).textContent).toBe('The server could not be reached.')
  respond = () => Response.json({ enabled: false, remind_at: '07:00' })
  await press('Try again')
  await expect.poll(said).toBe('Your 07:00 reminder is off.')
  expect(screen.queryByRole('alert')).toBeNull()
})

it('says that the reminder was deleted', async () => {
  respond = () => Response.json({ code: 'reminder_not_found' }, { status: 404 })
  await open(TOKEN)
  await expect.poll(said).toBe('This reminder no longer exists.')
  expect(screen.queryByRole('button')).toBeNull()
})

it('asks for the whole link if the token is missing', async () => {
  await open('')
  expect(said()).toContain('Please open the link in the email again')
  expect(calls).toEqual([])
})
