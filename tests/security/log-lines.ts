import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { createLogger } from '#server/logger.ts'

/** Collects what the server's own logger writes, at its most talkative. */
export function collectLog(): { logger: Logger; text(): string; lines(): string[]; clear(): void } {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  return {
    logger: createLogger('trace', stream),
    text: () => text,
    lines: () => text.split('\n').filter((line) => line !== ''),
    clear: () => {
      text = ''
    },
  }
}
