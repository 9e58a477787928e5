import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fieldsOf } from '#shared/fields.ts'

/** A disk of its own, which only programs started `within` have at that path. */
export interface SmallDisk {
  /** What a command has to begin with to see the disk. */
  within: readonly [string, ...string[]]
  /** The same folder as everybody else sees it. */
  seenFrom: string
  /** Takes all the room that is left. */
  fill(): Promise<void>
  /** Gives that room back. */
  clear(): Promise<void>
  /** Resolves to whether it worked: not while a file is open for writing. */
  allowWriting(isAllowed: boolean): Promise<boolean>
  remove(): Promise<void>
}

/** A namespace in which its maker may mount what nobody else sees. Not every system lets one be made. */
const NAMESPACE = ['--user', '--map-root-user', '--mount']
const MOUNT = 'mount -t tmpfs -o size=128m,mode=700 intercede "$1" && echo mounted'
const PIECE = Buffer.alloc(64 * 1024)

/** Whether this system lets us have such a disk: Linux with user namespaces, which some containers forbid. */
export function canMakeDisks(): boolean {
  return spawnSync('unshare', [...NAMESPACE, 'sh', '-c', MOUNT, 'sh', '/mnt']).status === 0
}

/** 128 MB in memory, at `folder`. */
export async function makeSmallDisk(folder: string): Promise<SmallDisk> {
  // Lives for as long as its input is open, and the disk with it.
  const script = `${MOUNT} && exec cat`
  const keeper = spawn('unshare', [...NAMESPACE, 'sh', '-c', script, 'sh', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(keeper, 'exit')
  await Promise.race([once(keeper.stdout, 'data'), ended])
  if (keeper.pid === undefined || keeper.exitCode !== null) throw new Error('The disk could not be made.')
  const pid = String(keeper.pid)
  const within = ['nsenter', `--target=${pid}`, '--user', '--mount', '--preserve-credentials'] as const
  const seenFrom = `/proc/${pid}/root${folder}`
  const filler = join(seenFrom, 'filler')
  return {
    within,
    seenFrom,
    fill: () => fill(seenFrom, filler),
    clear: () => rm(filler),
    allowWriting: async (isAllowed) => {
      const options = `remount,bind,${isAllowed ? 'rw' : 'ro'}`
      return run([...within, 'mount', '-o', options, folder]).then(
        () => true,
        () => false,
      )
    },
    remove: async () => {
      keeper.stdin.end()
      await ended
    },
  }
}

async function run([file, ...args]: readonly [string, ...string[]]): Promise<void> {
  await promisify(execFile)(file, args)
}

async function fill(folder: string, filler: string): Promise<void> {
  const handle = await open(filler, 'w')
  const { blocks } = await statfs(folder)
  try {
    // Never more than there is on the whole disk.
    for (let written = 0; written <= blocks; written += 1) await handle.write(PIECE)
  } catch (error) {
    if (fieldsOf(error)['code'] !== 'ENOSPC') throw error
  } finally {
    await handle.close()
  }
}
