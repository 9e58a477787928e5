import type { Config } from '#server/config.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { startXStandIn, type XStandIn } from './x-provider.ts'

/** What a server depends on besides its database: a folder for its emails, and a stand-in for X. */
export interface Surroundings {
  mailbox: Mailbox
  x: XStandIn
  /** Makes a server use them. */
  config: Pick<Config, 'dataDir' | 'x'>
  close(): Promise<void>
}

export async function startSurroundings(): Promise<Surroundings> {
  const mailbox = await createMailbox()
  const x = await startXStandIn()
  return {
    mailbox,
    x,
    config: { dataDir: mailbox.dataDir, x: x.config },
    close: async () => {
      await x.close()
      await mailbox.remove()
    },
  }
}
