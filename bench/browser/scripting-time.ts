import type { Browser, Page } from '@playwright/test'

/** Starts a trace for `scriptingTime`. */
export async function startTracing(browser: Browser, page: Page): Promise<void> {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8', 'blink.user_timing'] })
}

/** An event of a trace, with its start and duration in microseconds of its thread's CPU time; very short ones have none. */
interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  tts?: number
  tdur?: number
}

/** What the browser's developer tools count as scripting. */
const SCRIPTING = new Set([
  'EvaluateScript',
  'EventDispatch',
  'FireAnimationFrame',
  'FireIdleCallback',
  'FunctionCall',
  'MajorGC',
  'MinorGC',
  'RunMicrotasks',
  'TimerFire',
  'v8.compileModule',
  'v8.evaluateModule',
])

/** Milliseconds of CPU time for scripting between two marks (`performance.mark`) of the traced page. */
export function scriptingTime(trace: Buffer, startMark: string, endMark: string): number {
  const { traceEvents }: { traceEvents: readonly TraceEvent[] } = JSON.parse(trace.toString())
  const start = traceEvents.find(({ name }) => name === startMark)
  const end = traceEvents.find(({ name }) => name === endMark)
  if (start?.tts === undefined || end?.tts === undefined)
    throw new Error(`The trace does not contain ${startMark} and ${endMark}.`)
  const scripts = traceEvents
    .filter(
      ({ name, ph, pid, tid }) => SCRIPTING.has(name) && ph === 'X' && pid === start.pid && tid === start.tid,
    )
    .map(({ tts = 0, tdur = 0 }) => ({ from: tts, to: tts + tdur }))
    .toSorted((a, b) => a.from - b.from)
  let total = 0
  let counted = start.tts
  // Scripts contain others: each moment counts once.
  for (const script of scripts) {
    const [from, to] = [Math.max(script.from, counted), Math.min(script.to, end.tts)]
    if (to <= from) continue
    total += to - from
    counted = to
  }
  return total / 1000
}
