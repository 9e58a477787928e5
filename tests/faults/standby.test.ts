import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { call, PASSWORD, refresh, sessionOf, signUp } from '#tests/contract/auth/auth-client.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { createChance } from './chance.ts'
import { Newcomers } from './newcomers.ts'
import { signUpPerson } from './person-at-work.ts'
import { makeFolder, startSite } from './site.ts'
import { addStandby, lose, type Machine, promote, startPrimary } from './standby.ts'

/** How often a machine is lost. */
const ROUNDS = Math.ceil(Number(process.env['FAULT_ROUNDS'] ?? 8) / 8)
const PEOPLE = 3
const PATIENCE = 30_000

/** The name under which the server knows its database, whichever machine it leads to. */
async function pointTo(name: string, { folder }: Machine): Promise<void> {
  await symlink(join(folder, 'socket'), `${name}.new`)
  await rename(`${name}.new`, name)
}

it(
  'a machine that is lost with its database loses nothing: a standby has it all, and takes over',
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
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, (_, index) =>
        signUpPerson(site, `person${String(index)}@example.org`, createChance(index)),
      ),
    )
    const newcomers = new Newcomers()
    let session = await signUp(site, 'anna@example.org')
    const chance = createChance(1)
    let changes = 0
    for (let round = 1; round <= ROUNDS; round += 1) {
      const standby = await addStandby(primary, join(folder, `machine-${String(round)}`))
      machines.push(standby)
      const goal = changes + 50 + chance.below(100)
      let isOver = false
      const count = () => {
        changes += 1
      }
      const working = [
        ...people.map((person) => person.work(site, count, () => isOver)),
        newcomers.arrive(site, () => isOver),
      ]
      await expect.poll(() => changes, { timeout: PATIENCE, interval: 5 }).toBeGreaterThan(goal)
      await lose(primary)
      isOver = true
      await Promise.all(working)
      expect((await refresh(site, session.refresh_token)).status).toBe(503)

      await promote(standby)
      await pointTo(name, standby)
      primary = standby
      const isServed = () => Promise.all(people.map((person) => person.isServed(site)))
      await expect.poll(isServed, { timeout: PATIENCE }).not.toContain(false)
      for (const person of people) {
        const { stored, promised } = await person.settle(site)
        expect(stored).toEqual(promised)
      }
      expect(await newcomers.countLost(site)).toBe(0)
      session = sessionOf(await refresh(site, session.refresh_token))
    }
    expect(people.flatMap(({ refusals }) => refusals).filter((status) => status !== 503)).toEqual([])
    const body = { email: 'anna@example.org', password: PASSWORD }
    expect((await call(site, 'POST', '/token?grant_type=password', { body })).status).toBe(200)
    await annotate(`${String(ROUNDS)} machines lost, ${String(changes)} acknowledged changes, none lost`)
  },
  60_000 + ROUNDS * 60_000,
)
