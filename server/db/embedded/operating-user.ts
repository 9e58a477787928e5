import { spawnSync } from 'node:child_process'
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../errors/operator-errors.ts'

/**
 * The user that PostgreSQL runs as. It refuses to run as root, so root runs it either in a user namespace, where root
 * appears as another user (files remain root's, and folders that only root may enter are accessible), or as another user.
 */
export type OperatingUser = { kind: 'self' } | { kind: 'namespace' } | ({ kind: 'other' } & Identity)

interface Identity {
  uid: number
  gid: number
}

/** Paths that PostgreSQL's user needs access to. */
export interface Reach {
  /** The program. */
  program: string
  /** The folder that contains the database. */
  dataDir: string
  /** PostgreSQL's data directory, which need not exist yet. */
  cluster: string
}

export interface Command {
  file: string
  args: string[]
  /** Options for `spawn`. */
  identity: Partial<Identity>
}

const NAMESPACE = ['--user', '--map-user=65534', '--map-group=65534']

/**
 * Chooses the user, and gives it access. An existing database keeps its owner, except that one owned by root goes to the
 * user `nobody` where namespaces are forbidden, as in many containers.
 */
export async function chooseOperatingUser(reach: Reach): Promise<OperatingUser> {
  if (process.getuid?.() !== 0) return { kind: 'self' }
  const owner = await stat(reach.cluster).catch(() => null)
  if (owner !== null && owner.uid !== 0) return requireReach({ uid: owner.uid, gid: owner.gid }, reach)
  if (namespacesWork()) return { kind: 'namespace' }
  const nobody = await findNobody()
  await allowTraversal(reach.dataDir)
  const user = requireReach(nobody, reach)
  if (owner !== null) await handOverAll(reach.cluster, nobody)
  return user
}

/** The command that runs `file` as this user. */
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

/** Makes the user the owner of a file or folder that we created. */
export async function handOver(path: string, user: OperatingUser): Promise<void> {
  if (user.kind === 'other') await chown(path, user.uid, user.gid)
}

function namespacesWork(): boolean {
  return spawnSync('unshare', [...NAMESPACE, 'true'], { stdio: 'ignore' }).status === 0
}

/** initdb needs a user with an entry in /etc/passwd. */
async function findNobody(): Promise<Identity> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const entry = users.split('\n').find((line) => line.startsWith('nobody:'))
  const [, , uid, gid] = entry?.split(':') ?? []
  return uid === undefined || gid === undefined
    ? { uid: 65534, gid: 65534 }
    : { uid: Number(uid), gid: Number(gid) }
}

/** Other users may then pass through the folder, but not list it. */
async function allowTraversal(folder: string): Promise<void> {
  const { mode } = await stat(folder)
  await chmod(folder, mode | 0o011)
}

/** Children first: after an interruption, the folder itself is still root's, and the next start does it again. */
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
