import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '#server/errors/system-error.ts'

/** A separate disk, which only programs started `within` see at its path. */
export interface SmallDisk {
  /** Prefix for commands that need to see the disk. */
  within: readonly [string, ...string[]]
  /** A path of the disk for other programs. */
  outsidePath: string
  /** Uses up all free space. */
  fill(): Promise<void>
  /** Frees that space. */
  clear(): Promise<void>
  /** Makes the disk writable or read-only; resolves to false if a file is open for writing. */
  allowWriting(isAllowed: boolean): Promise<boolean>
  remove(): Promise<void>
}

/** A namespace in which its creator may mount file systems that no one else sees. Not all systems allow it. */
const NAMESPACE = ['--user', '--map-root-user', '--mount']
const MOUNT = 'mount -t tmpfs -o size=128m,mode=700 intercede "$1" && echo mounted'
const PIECE = Buffer.alloc(64 * 1024)

/** Whether such a disk can be created: only on Linux with user namespaces, which some containers forbid. */
export function canMakeDisks(): boolean {
  return spawnSync('unshare', [...NAMESPACE, 'sh', '-c', MOUNT, 'sh', '/mnt']).status === 0
}

/** Mounts 128 MB of memory at `folder`. */
export async function makeSmallDisk(folder: string): Promise<SmallDisk> {
  // The process, and the disk with it, lives for as long as its input is open.
  const script = `${MOUNT} && exec cat`
  const keeper = spawn('unshare', [...NAMESPACE, 'sh', '-c', script, 'sh', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(keeper, 'exit')
  await Promise.race([once(keeper.stdout, 'data'), ended])
  if (keeper.pid === undefined || keeper.exitCode !== null) throw new Error('The disk could not be created.')
  const pid = String(keeper.pid)
  const within = ['nsenter', `--target=${pid}`, '--user', '--mount', '--preserve-credentials'] as const
  const outsidePath = `/proc/${pid}/root${folder}`
  const filler = join(outsidePath, 'filler')
  return {
    within,
    outsidePath,
    fill: () => fill(outsidePath, filler),
    clear: () => rm(filler, { force: true }),
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
    // Ends even if the disk never reports that it is full.
    for (let written = 0; written <= blocks; written += 1) await handle.write(PIECE)
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error
  } finally {
    await handle.close()
  }
}
