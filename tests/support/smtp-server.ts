import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** How the mail server treats clients: it accepts every email, rejects every sender, or never responds. */
export type SmtpBehaviour = 'accept' | 'reject' | 'silent'

export interface ReceivedEmail {
  from: string
  to: string[]
  /** The message as it was sent, including headers. */
  source: string
}

export interface TestSmtpServer {
  url: string
  behaviour: SmtpBehaviour
  /** The response to every recipient, if it accepts the sender; null accepts them. */
  refuse: string | null
  emails: ReceivedEmail[]
  /** How many have been opened. */
  connections: number
  /** Listens again at the same address, after `close`. */
  reopen(): Promise<void>
  close(): Promise<void>
}

/** A mail server on loopback, without encryption, that stores the emails it receives. */
export async function startSmtpServer(): Promise<TestSmtpServer> {
  let server = createServer()
  const port = await listen(server, 0)
  const running: TestSmtpServer = {
    url: `smtp://127.0.0.1:${String(port)}`,
    behaviour: 'accept',
    refuse: null,
    emails: [],
    connections: 0,
    reopen: async () => {
      server = createServer()
      await listen(server, port)
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return running

  function createServer(): SMTPServer {
    const created = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      // In milliseconds: open connections are not waited for.
      closeTimeout: 1,
      onConnect: (_session, respond) => {
        running.connections += 1
        if (running.behaviour !== 'silent') respond()
      },
      onMailFrom: (_address, _session, respond) => {
        if (running.behaviour === 'reject') respond(new Error('not now'))
        else respond()
      },
      onRcptTo: (_address, _session, respond) => {
        const { refuse } = running
        if (refuse === null) respond()
        else respond(Object.assign(new Error(refuse.slice(4)), { responseCode: Number(refuse.slice(0, 3)) }))
      },
      onData: (stream, { envelope }, respond) => {
        buffer(stream).then((content) => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          const to = envelope.rcptTo.map(({ address }) => address)
          running.emails.push({ from, to, source: content.toString() })
          respond()
        }, respond)
      },
    })
    // A client was killed in the middle of a conversation.
    created.on('error', () => {})
    return created
  }
}

async function listen(server: SMTPServer, port: number): Promise<number> {
  const { server: socket } = server
  server.listen(port, '127.0.0.1')
  await once(socket, 'listening')
  const address = socket.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  return address.port
}
