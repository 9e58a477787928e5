import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** Everything that decides what a build looks like. */
const SOURCES = ['package.json', 'package-lock.json', 'scripts', 'server', 'shared', 'web']
const BUILT = ['dist/server/main.js', 'dist/web/index.html']
const STAMP = 'dist/.stamp'
const NOT_BUILT = /\.test\.tsx?$|\.md$/

/**
 * A fingerprint of the sources, the lockfile and the VITE_* variables: the same for the same build.
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
 * Whether `dist` is complete and was built from what is here now.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 */
export async function isBuilt(root, environment) {
  if (![...BUILT, STAMP].every((path) => existsSync(join(root, path)))) return false
  return (await readFile(join(root, STAMP), 'utf8')) === (await computeStamp(root, environment))
}

/**
 * Takes the stamp away while a build is under way, so that half a build is never taken for one.
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
  const found = await Promise.all(SOURCES.map((source) => filesIn(join(root, source))))
  return found
    .flat()
    .filter((path) => !NOT_BUILT.test(path))
    .toSorted()
}

/**
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function filesIn(path) {
  if (!existsSync(path)) return []
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => null)
  if (entries === null) return [path]
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
