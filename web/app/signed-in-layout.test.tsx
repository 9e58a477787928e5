import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { connectionLost, FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import { renderWithData } from '#web/test-rendering.tsx'
import { ConnectionNotice } from './signed-in-layout.tsx'

it.each([
  [false, true, 'You are offline. Changes are kept on this device.'],
  [false, false, 'You are offline. Nothing can be saved now.'],
  [true, true, 'The server cannot be reached. Changes are kept on this device.'],
  [true, false, 'The server cannot be reached. Nothing can be saved now.'],
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
