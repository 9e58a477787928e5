import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { anna, connectionLost, FakeServer, family, openData } from '#web/data/fake-server.test-data.ts'
import { prayerActions } from '#web/data/prayers.ts'
import { UserDataContext } from '#web/data/rows.ts'
import { DeviceSection } from './device-section.tsx'

beforeEach(() => {
  // jsdom does not implement these methods.
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  HTMLDialogElement.prototype.showModal = function open() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
})

function stubBrowser({ vendor = 'Google Inc.', persisted = false } = {}) {
  vi.stubGlobal('navigator', { vendor, onLine: true, storage: { persisted: async () => persisted } })
}

async function show({ waiting = false, durable = true } = {}) {
  const server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', anna)
  const data = openData(server, durable)
  const sync = await data.opened
  await sync.syncNow()
  if (waiting) {
    server.intercept = () => connectionLost()
    await prayerActions(data).update(anna, { resolved: true })
  }
  render(
    <UserDataContext value={data}>
      <DeviceSection />
    </UserDataContext>,
  )
  await act(async () => {})
  return server
}

const keepNothing = () =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: 'Keep nothing on this device' })
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const isStoredSwitch = () => localStorage.getItem('intercede-keep-nothing') === 'true'

describe('what is stored', () => {
  it('is counted', async () => {
    stubBrowser()
    await show()
    expect(screen.getByText(/^1 prayer and 1 category are stored in this browser/)).toBeDefined()
    expect(screen.getByText('Everything has been sent.')).toBeDefined()
  })

  it('is nothing in a browser that stores nothing', async () => {
    stubBrowser()
    await show({ durable: false })
    expect(screen.getByText(/^Nothing is stored on this device/)).toBeDefined()
  })

  it.each([
    [{ vendor: 'Apple Computer, Inc.', persisted: true }, /^Safari deletes it when/],
    [{ persisted: false }, /runs out of space/],
    [{ persisted: true }, /^This browser keeps it until you sign out/],
  ])('may be deleted by the browser: %o', async (browser, text) => {
    stubBrowser(browser)
    await show()
    expect(screen.getByText(text)).toBeDefined()
  })

  it('is kept by Safari if the app is installed', async () => {
    stubBrowser({ vendor: 'Apple Computer, Inc.', persisted: true })
    vi.stubGlobal('matchMedia', () => ({ matches: true }))
    await show()
    expect(screen.getByText(/^This browser keeps it/)).toBeDefined()
  })
})

it('shows what is waiting, and sends it on demand', async () => {
  stubBrowser()
  const server = await show({ waiting: true })
  expect(screen.getByText('1 change waiting to be sent.')).toBeDefined()
  server.intercept = () => null
  await press('Send now')
  expect(await screen.findByText('Everything has been sent.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull()
})

describe('“Keep nothing on this device”', () => {
  it('is turned on and off', async () => {
    stubBrowser()
    await show()
    await act(async () => fireEvent.click(keepNothing()))
    expect(keepNothing().checked).toBe(true)
    expect(isStoredSwitch()).toBe(true)
    await act(async () => fireEvent.click(keepNothing()))
    expect(keepNothing().checked).toBe(false)
    expect(isStoredSwitch()).toBe(false)
  })

  it('asks first if changes have not been sent', async () => {
    stubBrowser()
    await show({ waiting: true })
    await act(async () => fireEvent.click(keepNothing()))
    expect(screen.getByRole('alertdialog').textContent).toContain('1 change has not been saved')
    await press('Cancel')
    expect(isStoredSwitch()).toBe(false)
    await act(async () => fireEvent.click(keepNothing()))
    await press('Delete')
    expect(isStoredSwitch()).toBe(true)
  })

  it('asks first if changes of somebody else have not been sent', async () => {
    stubBrowser()
    localStorage.setItem('intercede-unsaved-changes', '2')
    await show()
    await act(async () => fireEvent.click(keepNothing()))
    expect(screen.getByRole('alertdialog').textContent).toContain('someone who is not signed in')
    expect(isStoredSwitch()).toBe(false)
  })
})
