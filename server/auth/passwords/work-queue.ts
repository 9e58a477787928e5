/** How much heavy work is done at once, and how much may wait for its turn. */
export interface WorkQueueLimits {
  concurrent: number
  waiting: number
}

/** Thrown to whoever comes when the queue is full. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

/**
 * Lets a few heavy jobs run at once, in the order they came, and turns away whoever would have to wait too long, so
 * that a flood of them leaves the processors to everything else.
 */
export class WorkQueue {
  readonly #limits: WorkQueueLimits
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limits: WorkQueueLimits) {
    this.#limits = limits
  }

  /** Jobs that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Rejects with `QueueFullError` when the queue is full, else as the job does. */
  async run<Value>(job: () => Promise<Value>): Promise<Value> {
    await this.#turn()
    try {
      return await job()
    } finally {
      this.#next()
    }
  }

  async #turn(): Promise<void> {
    if (this.#running < this.#limits.concurrent) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= this.#limits.waiting) throw new QueueFullError('too much work is waiting')
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** The place of a finished job goes straight to the next one, so that nobody slips in between. */
  #next(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}
