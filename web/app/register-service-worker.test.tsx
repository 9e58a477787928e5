import { expect, it, vi } from 'vitest'
import { TAKE_OVER } from '#web/lib/loading/app-shell.ts'
import { registerServiceWorker } from './register-service-worker.ts'

const reload = vi.hoisted(() => ({
  offerReload: vi.fn<(start: () => void) => void>(),
  reloadFromServer: vi.fn(),
}))
vi.mock('#web/lib/loading/reload.ts', () => reload)

it('loads the new version from the server if its worker does not take over', async () => {
  vi.useFakeTimers()
  const postMessage = vi.fn()
  const registration = Object.assign(new EventTarget(), { waiting: { postMessage }, installing: null })
  const worker = Object.assign(new EventTarget(), {
    controller: {},
    getRegistration: async () => registration,
  })
  vi.stubGlobal('navigator', { serviceWorker: worker })
  await registerServiceWorker(navigator.serviceWorker)
  reload.offerReload.mock.calls[0]?.[0]()
  expect(postMessage).toHaveBeenCalledWith(TAKE_OVER)
  vi.advanceTimersByTime(4999)
  expect(reload.reloadFromServer).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(reload.reloadFromServer).toHaveBeenCalledOnce()
})
