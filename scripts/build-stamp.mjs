import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** Everything that a build depends on. */
const SOURCES = ['package.json', 'package-lock.json', 'scripts', 'server', 'shared', 'web']
const OUTPUTS = ['dist/server/main.js', 'dist/web/index.html']
const STAMP = 'dist/.stamp'
const NOT_BUILT = /\.test\.tsx?$|\.md$/

/**
 * A hash of the sources, the lockfile and the VITE_* variables. Equal hashes mean equal builds.
 * @param {string} root folder of the project
 * @param {NodeJS.ProcessEnv} environment
 */
export async function computeStamp(root, environment) {
  const hash = createHash('sha256')
  for (const path of await sourceFiles(root)) {
    hash.update(`${relative(root, path).split(sep).join('/')}\0`)
    hash.update(await readFile(path))
    hash.update('\0')
  }
  for (const name of Object.keys(environment).toSorted()) {
    if (name.startsWith('VITE_')) hash.update(`${name}=${environment[name] ?? ''}\0`)
  }
  return hash.digest('hex')
}

/**
 * Whether `dist` is complete and was built from the current sources.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 */
export async function isBuilt(root, environment) {
  if (![...OUTPUTS, STAMP].every((path) => existsSync(join(root, path)))) return false
  return (await readFile(join(root, STAMP), 'utf8')) === (await computeStamp(root, environment))
}

/**
 * To be called before a build, so that an interrupted build does not count as complete.
 * @param {string} root
 */
export async function removeStamp(root) {
  await rm(join(root, STAMP), { force: true })
}

/**
 * @param {string} root
 * @param {string} stamp
 */
export async function writeStamp(root, stamp) {
  await writeFile(join(root, STAMP), stamp)
}

/** @param {string} root */
async function sourceFiles(root) {
  const files = await Promise.all(SOURCES.map((source) => filesIn(join(root, source))))
  return files
    .flat()
    .filter((path) => !NOT_BUILT.test(path))
    .toSorted()
}

/**
 * @param {string} path a file or a folder
 * @returns {Promise<string[]>}
 */
async function filesIn(path) {
  if (!existsSync(path)) return []
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => null)
  if (entries === null) return [path]
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
