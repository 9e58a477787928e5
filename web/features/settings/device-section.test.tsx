import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { anna, connectionLost, FakeServer, family, openData } from '#web/data/fake-server.test-data.ts'
import { prayerActions } from '#web/data/prayers.ts'
import { press, renderWithData } from '#web/test-rendering.tsx'
import { DeviceSection } from './device-section.tsx'

const SAFARI = 'Apple Computer, Inc.'

const DEFAULTS = { vendor: 'Google Inc.', persisted: false, installed: false, durable: true, waiting: false }

async function show(given: Partial<typeof DEFAULTS> = {}) {
  const { vendor, persisted, installed, durable, waiting } = { ...DEFAULTS, ...given }
  vi.stubGlobal('navigator', { vendor, onLine: true, storage: { persisted: async () => persisted } })
  vi.stubGlobal('matchMedia', () => ({ matches: installed }))
  const server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', anna)
  const data = openData(server, durable)
  const sync = await data.opened
  await sync.syncNow()
  if (waiting) {
    server.intercept = () => connectionLost()
    await prayerActions(data).change(anna, { resolved: true })
  }
  renderWithData(<DeviceSection />, data)
  await act(async () => {})
  return { server, syncNow: () => act(() => sync.syncNow()) }
}

const keepNothing = () =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: 'Keep nothing on this device' })
const toggle = () => act(async () => void fireEvent.click(keepNothing()))
const isStoredSwitch = () => localStorage.getItem('intercede-keep-nothing') === 'true'

describe('what is stored', () => {
  it('is counted', async () => {
    await show()
    expect(screen.getByText(/^1 prayer and 1 category are stored in this browser/)).toBeDefined()
    expect(screen.getByText('Everything has been sent.')).toBeDefined()
  })

  it('includes what this version of the app cannot show, which is reported once', async () => {
    expectConsoleError('Rows of prayers cannot be shown')
    const { server, syncNow } = await show()
    expect(screen.queryByText(/cannot be shown/)).toBeNull()
    server.put('prayers', { ...anna, id: 'ben', resolved: 'perhaps' })
    server.put('prayers', { ...anna, id: 'carl', person_name: 7 })
    await syncNow()
    expect(screen.getByText('2 entries of another version of the app cannot be shown.')).toBeDefined()
    expect(screen.getByText(/^1 prayer and 1 category/)).toBeDefined()
  })

  it('is nothing in a browser that stores nothing', async () => {
    await show({ durable: false })
    expect(screen.getByText(/^Nothing is stored on this device/)).toBeDefined()
  })

  it.each([
    [{ vendor: SAFARI, persisted: true }, /^Safari deletes it when/],
    [{ vendor: SAFARI, persisted: true, installed: true }, /^This browser keeps it/],
    [{ persisted: false }, /runs out of space/],
    [{ persisted: true }, /^This browser keeps it until you sign out/],
  ])('may be deleted by the browser: %o', async (browser, text) => {
    await show(browser)
    expect(screen.getByText(text)).toBeDefined()
  })
})

it('shows what is waiting, and sends it on demand', async () => {
  const { server } = await show({ waiting: true })
  expect(screen.getByText('1 change waiting to be sent.')).toBeDefined()
  server.intercept = () => null
  await press('Send now')
  expect(await screen.findByText('Everything has been sent.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull()
})

describe('“Keep nothing on this device”', () => {
  it('is turned on and off', async () => {
    await show()
    await toggle()
    expect(keepNothing().checked).toBe(true)
    expect(isStoredSwitch()).toBe(true)
    await toggle()
    expect(keepNothing().checked).toBe(false)
    expect(isStoredSwitch()).toBe(false)
  })

  it('asks first if changes have not been sent', async () => {
    await show({ waiting: true })
    await toggle()
    expect(screen.getByRole('alertdialog').textContent).toContain('1 change has not been saved')
    await press('Cancel')
    expect(isStoredSwitch()).toBe(false)
    await toggle()
    await press('Delete')
    expect(isStoredSwitch()).toBe(true)
  })

  it('asks first if changes of somebody else have not been sent', async () => {
    localStorage.setItem('intercede-kept-data', '"unsaved-changes"')
    await show()
    await toggle()
    expect(screen.getByRole('alertdialog').textContent).toContain('someone who is not signed in')
    expect(isStoredSwitch()).toBe(false)
  })
})
