import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** How the mail server meets a client. */
export type SmtpMood = 'accepts' | 'refuses' | 'says nothing'

export interface ReceivedMail {
  from: string
  to: string[]
  /** The message as it was sent, headers and all. */
  source: string
}

export interface TestSmtpServer {
  url: string
  mood: SmtpMood
  mails: ReceivedMail[]
  /** Listens again, at the same address, after `close`. */
  reopen(): Promise<void>
  close(): Promise<void>
}

/** A mail server on loopback that keeps what it is given. */
export async function startSmtpServer(): Promise<TestSmtpServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    if (running.mood !== 'says nothing') converse(socket, running)
  })
  const listen = async (wanted: number) => {
    server.listen(wanted, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
    return address.port
  }
  const port = await listen(0)
  const running: TestSmtpServer = {
    url: `smtp://127.0.0.1:${String(port)}`,
    mood: 'accepts',
    mails: [],
    reopen: async () => void (await listen(port)),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return running
}

function converse(socket: Socket, running: TestSmtpServer): void {
  let pending = ''
  let mail: ReceivedMail = { from: '', to: [], source: '' }
  let isMessage = false
  const say = (line: string) => socket.write(`${line}\r\n`)
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    pending += text
    for (;;) {
      const end = pending.indexOf(isMessage ? '\r\n.\r\n' : '\r\n')
      if (end === -1) return
      const unit = pending.slice(0, end)
      pending = pending.slice(end + (isMessage ? 5 : 2))
      if (isMessage) finishMessage(unit)
      else obey(unit)
    }
  })
  say('220 test')

  function obey(line: string): void {
    const [, argument = ''] = /<(.*)>/.exec(line) ?? []
    if (/^(?:EHLO|HELO)/i.test(line)) say('250 test')
    else if (/^MAIL FROM/i.test(line)) {
      mail = { from: argument, to: [], source: '' }
      say(running.mood === 'refuses' ? '451 not now' : '250 ok')
    } else if (/^RCPT TO/i.test(line)) {
      mail.to.push(argument)
      say('250 ok')
    } else if (/^DATA/i.test(line)) {
      isMessage = true
      say('354 go on')
    } else if (/^QUIT/i.test(line)) {
      say('221 bye')
      socket.end()
    } else if (/^STARTTLS/i.test(line)) say('502 no encryption here')
    else say('250 ok')
  }

  function finishMessage(source: string): void {
    isMessage = false
    running.mails.push({ ...mail, source })
    say('250 kept')
  }
}
