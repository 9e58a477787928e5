// The part of a server that sends reminders, in a process of its own, whose clock another process sets: for each time that it is sent, it
// sends what is due then, and responds. See reminders.test.ts.
import pino from 'pino'
import { Registry } from 'prom-client'
import { readConfig } from '#server/config.ts'
import { createDataPool, createPool } from '#server/db/pool.ts'
import { loadTokenKeys } from '#server/jwt/token-keys.ts'
import { createReminderService } from '#server/reminders/send-due.ts'
import { createBackgroundWork } from '#server/services.ts'

const config = readConfig(process.env)
const isPooler = config.dataDatabaseUrl !== null
const url = config.databaseUrl ?? ''
const pool = createPool({ url, isPooler })
let now = new Date()
const reminders = createReminderService({
  config,
  pool,
  dataPool: createDataPool({ url: config.dataDatabaseUrl ?? url, isPooler }),
  keys: await loadTokenKeys(pool, config, now),
  clock: { now: () => now },
  logger: pino({ level: 'silent' }),
  background: createBackgroundWork(),
  metrics: new Registry(),
})

process.on('message', (time) => {
  now = new Date(String(time))
  reminders.sendDue(new AbortController().signal).then(
    () => process.send?.('done'),
    // The database is being restarted. The scheduler tries again later.
    () => process.send?.('failed'),
  )
})
// The test has ended in the middle of its work.
process.on('disconnect', () => process.exit())
process.send?.('ready')
