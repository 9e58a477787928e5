import { spawnSync } from 'node:child_process'
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../errors/operator-errors.ts'

/**
 * As whom PostgreSQL runs. It refuses to run as root, so root either shows itself to it as another user inside a user
 * namespace (files stay root's, and folders that only root may enter are reachable), or hands it to another user.
 */
export type OperatingUser = { kind: 'self' } | { kind: 'namespace' } | ({ kind: 'other' } & Identity)

interface Identity {
  uid: number
  gid: number
}

/** What PostgreSQL's user has to get at. */
export interface Reach {
  /** The program. */
  program: string
  /** The folder that the database lies in. */
  dataDir: string
  /** The database, which need not exist yet. */
  cluster: string
}

export interface Command {
  file: string
  args: string[]
  /** Given to `spawn`. */
  identity: Partial<Identity>
}

const NAMESPACE = ['--user', '--map-user=65534', '--map-group=65534']

/**
 * Chooses the user, and gives it what it needs. A database stays with the user who has it; one of root's goes to the
 * user `nobody` where namespaces are forbidden, as in many containers.
 */
export async function chooseOperatingUser(reach: Reach): Promise<OperatingUser> {
  if (process.getuid?.() !== 0) return { kind: 'self' }
  const owner = await stat(reach.cluster).catch(() => null)
  if (owner !== null && owner.uid !== 0) return requireReach({ uid: owner.uid, gid: owner.gid }, reach)
  if (namespacesWork()) return { kind: 'namespace' }
  const nobody = await findNobody()
  await letThrough(reach.dataDir)
  const user = requireReach(nobody, reach)
  if (owner !== null) await handOverAll(reach.cluster, nobody)
  return user
}

/** How to start `file` as that user. */
export function commandAs(user: OperatingUser, file: string, args: readonly string[]): Command {
  switch (user.kind) {
    case 'self':
      return { file, args: [...args], identity: {} }
    case 'namespace':
      return { file: 'unshare', args: [...NAMESPACE, file, ...args], identity: {} }
    case 'other':
      return { file, args: [...args], identity: { uid: user.uid, gid: user.gid } }
  }
}

/** Hands a folder that we made to the user who is to work in it. */
export async function handOver(folder: string, user: OperatingUser): Promise<void> {
  if (user.kind === 'other') await chown(folder, user.uid, user.gid)
}

function namespacesWork(): boolean {
  return spawnSync('unshare', [...NAMESPACE, 'true'], { stdio: 'ignore' }).status === 0
}

/** initdb looks its user up, so only one with an entry will do. */
async function findNobody(): Promise<Identity> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const entry = users.split('\n').find((line) => line.startsWith('nobody:'))
  const [, , uid, gid] = entry?.split(':') ?? []
  return uid === undefined || gid === undefined
    ? { uid: 65534, gid: 65534 }
    : { uid: Number(uid), gid: Number(gid) }
}

/** Others may pass through our folder, and still not see what is in it. */
async function letThrough(folder: string): Promise<void> {
  const { mode } = await stat(folder)
  await chmod(folder, mode | 0o011)
}

/** Children first, so that an interruption leaves the folder root's and the work is done again. */
async function handOverAll(path: string, { uid, gid }: Identity): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries) {
    const child = join(path, entry.name)
    await (entry.isDirectory() ? handOverAll(child, { uid, gid }) : lchown(child, uid, gid))
  }
  await chown(path, uid, gid)
}

function requireReach({ uid, gid }: Identity, { program, dataDir }: Reach): OperatingUser {
  const probe = spawnSync('sh', ['-c', 'test -x "$0" && test -x "$1"', program, dataDir], {
    uid,
    gid,
    cwd: '/',
    stdio: 'ignore',
  })
  if (probe.status === 0) return { kind: 'other', uid, gid }
  throw new StartupError(
    `PostgreSQL can't run as root, and the user ${String(uid)} can't reach ${dataDir} or ${program}: ` +
      'start Intercede as an ordinary user, set DATA_DIR to a folder which that user can reach, or set DATABASE_URL.',
  )
}
