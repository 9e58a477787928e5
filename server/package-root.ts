import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of this package: the one above this file that has a package.json. The same for the sources and for the
 * bundle in dist/server, so that files which are read while running are found from both.
 */
export const PACKAGE_ROOT = findUpwards(dirname(fileURLToPath(import.meta.url)))

function findUpwards(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('The package.json of Intercede is missing.')
  return findUpwards(parent)
}
