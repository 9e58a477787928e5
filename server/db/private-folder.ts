import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder, and those above it, that only its owner may enter; does nothing where it exists. Node.js's own way
 * of making those above (`recursive`) never comes back where a file system refuses a folder with ENOENT, as /proc does.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return
  if (!(await isFolder(dirname(folder)))) await makePrivateFolder(dirname(folder))
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    // Another server may have been faster.
    if (!(await isFolder(folder))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() ?? false
}
