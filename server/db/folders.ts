import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder, and its missing parents, which only its owner may enter; does nothing if it exists. The `recursive`
 * option of Node.js never returns where a file system rejects a folder with ENOENT, as /proc does.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return
  if (!(await isFolder(dirname(folder)))) await makePrivateFolder(dirname(folder))
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!(await isFolder(folder))) throw error
  }
}

/** Makes new names in a folder survive a power cut. Windows can't open folders, and doesn't need to. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() ?? false
}
