import type { Browser } from '@playwright/test'
import type { Site } from '../page/site.ts'
import { openDashboard, type Telephone, withTelephone } from './full-dashboard.ts'

/** What is kept more after many rounds of use than after the first few. */
export interface Growth {
  /** Of the JavaScript heap, in KB. */
  heap: number
  nodes: number
  listeners: number
}

/** What is made once, when something is used for the first time, is there after so many. */
const FIRST_ROUNDS = 50

/** Opens the dialog and closes it, opens it and adds a prayer, and deletes that again, each round. */
const USE = (rounds: number) => `(async () => {
  const until = (test) => new Promise((resolve, reject) => {
    const started = performance.now()
    const look = () => {
      if (test()) resolve()
      else if (performance.now() - started > 30000) reject(new Error('It takes too long: ' + test))
      else setTimeout(look)
    }
    look()
  })
  const press = (scope, label) =>
    [...scope.querySelectorAll('button')].find((button) => button.title === label || button.textContent === label).click()
  const dialog = () => document.querySelector('dialog[open]')
  const card = document.querySelector('main section')
  const first = () => card.querySelector('li[data-prayer]')
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
  const before = first().dataset.prayer
  const open = async (scope, label) => {
    press(scope, label)
    await until(dialog)
  }
  for (let round = 0; round < ${String(rounds)}; round += 1) {
    await open(card, 'Add Prayer')
    press(dialog(), 'Cancel')
    await until(() => !dialog())
    await open(card, 'Add Prayer')
    const name = dialog().querySelector('input')
    setValue.call(name, 'Anna')
    name.dispatchEvent(new Event('input', { bubbles: true }))
    press(dialog(), 'Add Prayer')
    await until(() => !dialog() && first().dataset.prayer !== before)
    await open(first(), 'Delete prayer')
    press(dialog(), 'Delete')
    await until(() => !dialog() && first().dataset.prayer === before)
  }
})()`

/** Uses the full dashboard for `rounds` rounds, at full speed, and says what that has left behind. */
export async function measureGrowth(browser: Browser, site: Site, rounds: number): Promise<Growth> {
  return await withTelephone(browser, site, { slowDown: 1 }, async (telephone) => {
    const { page } = telephone
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openDashboard(page, site)
    await page.evaluate(USE(FIRST_ROUNDS))
    const before = await weigh(telephone)
    await page.evaluate(USE(rounds))
    const after = await weigh(telephone)
    return {
      heap: after.heap - before.heap,
      nodes: after.nodes - before.nodes,
      listeners: after.listeners - before.listeners,
    }
  })
}

async function weigh({ session, page }: Telephone): Promise<Growth> {
  // What was announced last goes after a while, with what it holds on to.
  await page.locator('.toast').waitFor({ state: 'detached' })
  for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { heap: usedSize / 1000, nodes, listeners: jsEventListeners }
}
