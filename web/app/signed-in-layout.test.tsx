import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { connectionLost, FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import { press, renderWithData } from '#web/test-rendering.tsx'
import { OutdatedNotice } from './new-version-notice.tsx'
import { ConnectionNotice } from './signed-in-layout.tsx'

it.each([
  [false, true, 'You are offline. Changes are kept on this device.'],
  [false, false, 'You are offline. Nothing can be saved now.'],
  [true, true, 'No connection. Changes are kept on this device.'],
  [true, false, 'No connection. Nothing can be saved now.'],
])('without the server; network: %s, storage: %s', async (isOnline, isDurable, text) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  const server = new FakeServer()
  server.intercept = () => connectionLost()
  const { data } = await openSynced(server, isDurable)
  renderWithData(<ConnectionNotice />, data)
  expect(screen.getByText(text).closest('[role=status]')).not.toBeNull()
})

it('says nothing while the server responds', async () => {
  const { data } = await openSynced(new FakeServer())
  const { container } = renderWithData(<ConnectionNotice />, data)
  expect(container.textContent).toBe('')
})

it('offers to reload the page when another tab runs a newer version', async () => {
  const { data, sync } = await openSynced(new FakeServer())
  vi.spyOn(sync.outdated, 'get').mockReturnValue(true)
  const reload = vi.fn<() => void>()
  vi.stubGlobal('location', { reload })
  renderWithData(<OutdatedNotice />, data)
  expect(screen.getByText('A new version of Intercede is open in another tab')).toBeDefined()
  await press('Reload')
  expect(reload).toHaveBeenCalledOnce()
})
