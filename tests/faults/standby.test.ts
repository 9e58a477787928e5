import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { call, PASSWORD, refresh, sessionOf, signUp } from '#tests/contract/auth/auth-client.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { createRandom } from './random.ts'
import { SignUps } from './sign-ups.ts'
import { signUpUser } from './simulated-user.ts'
import { makeFolder, startSite } from './site.ts'
import { addStandby, lose, type Machine, promote, startPrimary } from './standby.ts'

/** How often the primary is lost. */
const ROUNDS = Math.ceil(Number(process.env['FAULT_ROUNDS'] ?? 8) / 8)
const USERS = 3
const TIMEOUT = 30_000

/** Makes the name in the server's DATABASE_URL lead to this machine. */
async function pointTo(name: string, { folder }: Machine): Promise<void> {
  await symlink(join(folder, 'socket'), `${name}.new`)
  await rename(`${name}.new`, name)
}

it(
  'loses nothing when the machine of the database is lost and its standby takes over',
  async ({ annotate }) => {
    const folder = await makeFolder()
    const name = join(folder, 'database')
    const databaseUrl = `postgresql:///intercede?host=${name}&user=intercede`
    let primary = await startPrimary(join(folder, 'machine-0'))
    const machines = [primary]
    await pointTo(name, primary)
    const site = await startSite({ DATA_DIR: folder, DATABASE_URL: databaseUrl }, databaseUrl)
    onTestFinished(async () => {
      expect(await site.process.end('SIGTERM')).toBe(0)
      await Promise.all(machines.map(async ({ postgres }) => (await postgres).stop()))
      await expectNoProcess(folder)
      await rm(folder, { recursive: true, force: true })
    })
    const users = await Promise.all(
      Array.from({ length: USERS }, (_, index) =>
        signUpUser(site, `user${String(index)}@example.org`, createRandom(index)),
      ),
    )
    const signUps = new SignUps()
    let session = await signUp(site, 'anna@example.org')
    const random = createRandom(1)
    let changes = 0
    for (let round = 1; round <= ROUNDS; round += 1) {
      const standby = await addStandby(primary, join(folder, `machine-${String(round)}`))
      machines.push(standby)
      const goal = changes + 50 + random.below(100)
      let isOver = false
      const count = () => {
        changes += 1
      }
      const running = [
        ...users.map((user) => user.sendChanges(site, count, () => isOver)),
        signUps.run(site, () => isOver),
      ]
      await expect.poll(() => changes, { timeout: TIMEOUT, interval: 5 }).toBeGreaterThan(goal)
      await lose(primary)
      isOver = true
      await Promise.all(running)
      expect((await refresh(site, session.refresh_token)).status).toBe(503)

      await promote(standby)
      await pointTo(name, standby)
      primary = standby
      const isServed = () => Promise.all(users.map((user) => user.isServed(site)))
      await expect.poll(isServed, { timeout: TIMEOUT }).not.toContain(false)
      for (const user of users) {
        const { stored, expected } = await user.compare(site)
        expect(stored).toEqual(expected)
      }
      expect(await signUps.countLost(site)).toBe(0)
      session = sessionOf(await refresh(site, session.refresh_token))
    }
    expect(users.flatMap(({ failures }) => failures).filter((status) => status !== 503)).toEqual([])
    const body = { email: 'anna@example.org', password: PASSWORD }
    expect((await call(site, 'POST', '/token?grant_type=password', { body })).status).toBe(200)
    await annotate(`${String(ROUNDS)} machines lost, ${String(changes)} acknowledged changes, none lost`)
  },
  60_000 + ROUNDS * 60_000,
)
