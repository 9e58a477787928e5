type Task = () => void

const waiting: Task[] = []
let scheduled = false

/**
 * Runs a task when the browser has nothing better to do, one task at a time, first come first served.
 *
 * @returns takes the task back
 */
export function whenIdle(task: Task): () => void {
  waiting.push(task)
  schedule()
  return () => {
    const index = waiting.indexOf(task)
    if (index !== -1) waiting.splice(index, 1)
  }
}

function schedule(): void {
  if (scheduled || waiting.length === 0) return
  scheduled = true
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(runNext, { timeout: 200 })
  else setTimeout(runNext, 16)
}

function runNext(): void {
  scheduled = false
  waiting.shift()?.()
  schedule()
}
