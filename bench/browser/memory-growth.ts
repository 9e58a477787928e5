import type { Browser, BrowserContextOptions } from '@playwright/test'
import { type Device, withDevice } from './slow-device.ts'
import { openFullDashboard } from './visit-timing.ts'

/** Memory in use, or the difference between two moments. */
export interface PageMemory {
  /** JavaScript heap in KB. */
  heap: number
  nodes: number
  listeners: number
}

/** After these rounds, everything that is created once on first use exists. */
const FIRST_ROUNDS = 50

/** Each round opens the dialog and closes it, adds a prayer, and deletes it again. */
const USE = (rounds: number) => `(async () => {
  const until = (test) => new Promise((resolve) => {
    const look = () => {
      if (test()) resolve()
      else setTimeout(look)
    }
    look()
  })
  const click = (scope, label) =>
    [...scope.querySelectorAll('button')].find((button) => button.title === label || button.textContent === label).click()
  const dialog = () => document.querySelector('dialog[open]')
  const card = document.querySelector('main section')
  const first = () => card.querySelector('li')
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
  const before = first().textContent
  const open = async (scope, label) => {
    click(scope, label)
    await until(dialog)
  }
  for (let round = 0; round < ${String(rounds)}; round += 1) {
    await open(card, 'Add Prayer')
    click(dialog(), 'Cancel')
    await until(() => !dialog())
    await open(card, 'Add Prayer')
    const name = dialog().querySelector('input')
    setValue.call(name, 'Anna')
    name.dispatchEvent(new Event('input', { bubbles: true }))
    click(dialog(), 'Add Prayer')
    await until(() => !dialog() && first().textContent !== before)
    await open(first(), 'Delete prayer')
    click(dialog(), 'Delete')
    await until(() => !dialog() && first().textContent === before)
  }
})()`

/** Uses the full dashboard for `rounds` rounds at full speed, and resolves to how much more memory is used then. */
export async function measureMemoryGrowth(
  browser: Browser,
  origin: string,
  context: BrowserContextOptions,
  rounds: number,
): Promise<PageMemory> {
  return await withDevice(browser, { context, slowDown: 1 }, async (device) => {
    await device.page.emulateMedia({ reducedMotion: 'reduce' })
    await openFullDashboard(device.page, origin)
    await device.page.evaluate(USE(FIRST_ROUNDS))
    const before = await readMemory(device)
    await device.page.evaluate(USE(rounds))
    const after = await readMemory(device)
    return {
      heap: after.heap - before.heap,
      nodes: after.nodes - before.nodes,
      listeners: after.listeners - before.listeners,
    }
  })
}

/** The memory in use, without what can be freed. */
export async function readMemory({ session, page }: Device): Promise<PageMemory> {
  // The last announcement holds on to what it announced until it disappears.
  await page.locator('.toast').waitFor({ state: 'detached' })
  for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { heap: usedSize / 1000, nodes, listeners: jsEventListeners }
}
