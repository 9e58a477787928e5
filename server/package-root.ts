import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of this package: the nearest one above this file that has a package.json. Works for the sources and for the
 * bundle in dist/server, so that files read at run time are found from both.
 */
export const PACKAGE_ROOT = findUpwards(dirname(fileURLToPath(import.meta.url)))

function findUpwards(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('Intercede’s package.json is missing.')
  return findUpwards(parent)
}
