// What all tests of a file share: started before the first of them, and closed after the last. The objects may be passed
// around at once, but not be read before.
import { afterAll, beforeAll } from 'vitest'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'
import { startSurroundings, type Surroundings } from './surroundings.ts'

/** Options that depend on something else that is shared are given as a function. */
export function useTestServer(options: TestServerOptions | (() => TestServerOptions) = {}): TestServer {
  const server = useShared(() => startTestServer(typeof options === 'function' ? options() : options))
  afterAll(() => server().close())
  return {
    get url() {
      return server().url
    },
    get app() {
      return server().app
    },
    get services() {
      return server().services
    },
    get clock() {
      return server().clock
    },
    get database() {
      return server().database
    },
    close: () => server().close(),
  }
}

export function useMailbox(): Mailbox {
  const mailbox = useShared(createMailbox)
  afterAll(() => mailbox().remove())
  return {
    get dataDir() {
      return mailbox().dataDir
    },
    emails: () => mailbox().emails(),
    remove: () => mailbox().remove(),
  }
}

export function useSurroundings(): Surroundings {
  const around = useShared(startSurroundings)
  afterAll(() => around().close())
  return {
    get mailbox() {
      return around().mailbox
    },
    get x() {
      return around().x
    },
    get config() {
      return around().config
    },
    close: () => around().close(),
  }
}

/** Starts something before the first test; the returned function returns it. */
export function useShared<Value>(start: () => Promise<Value>): () => Value {
  let started: { value: Value } | undefined
  beforeAll(async () => {
    started = { value: await start() }
  })
  return () => {
    if (started === undefined) throw new Error('It has not been started yet.')
    return started.value
  }
}
