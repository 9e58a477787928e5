import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { refresh, sessionOf, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { makeFolder } from '#tests/support/data-folder.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { openTestConnection } from '#tests/support/pgbouncer.ts'
import { expectNothingLost, expectServed, failuresOf, ROUNDS, signUpUsers, startLoad } from './load.ts'
import { createRandom } from './random.ts'
import { SignUps } from './sign-ups.ts'
import { startSite } from './site.ts'
import { addStandby, lose, type Machine, promote, startPrimary } from './standby.ts'

/** How often the primary is lost. */
const LOSSES = Math.ceil(ROUNDS / 8)

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
    const connection = await openTestConnection(databaseUrl)
    const site = await startSite({ DATA_DIR: folder, ...connection.env }, databaseUrl)
    onTestFinished(async () => {
      expect(await site.process.end('SIGTERM')).toBe(0)
      await connection.close()
      await Promise.all(machines.map(async ({ postgres }) => (await postgres).stop()))
      await expectNoProcess(folder)
      await rm(folder, { recursive: true, force: true })
    })
    const users = await signUpUsers(site, ['ben', 'carl', 'dora'])
    const signUps = new SignUps()
    let session = await signUp(site, 'anna@example.org')
    const random = createRandom(1)
    let changes = 0
    for (let loss = 1; loss <= LOSSES; loss += 1) {
      const standby = await addStandby(primary, join(folder, `machine-${String(loss)}`))
      machines.push(standby)
      const load = startLoad(site, users, signUps)
      await load.reach(50 + random.below(100))
      await lose(primary)
      await load.stop()
      changes += load.acknowledged()
      expect((await refresh(site, session.refresh_token)).status).toBe(503)

      await promote(standby)
      await pointTo(name, standby)
      primary = standby
      await expectServed(site, users)
      await expectNothingLost(site, users)
      expect(await signUps.countLost(site)).toBe(0)
      session = sessionOf(await refresh(site, session.refresh_token))
    }
    expect([503]).toEqual(expect.arrayContaining(failuresOf(users)))
    expect((await signIn(site, 'anna@example.org')).status).toBe(200)
    await annotate(`${String(LOSSES)} machines lost, ${String(changes)} acknowledged changes, none lost`)
  },
  // Each loss takes up to 20 seconds to be noticed, and more on a busy machine.
  60_000 + LOSSES * 120_000,
)
