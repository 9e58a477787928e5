import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface LockedPackage {
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const path = join(import.meta.dirname, '../package-lock.json')
const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(path, 'utf8'))

/** Where npm may install a dependency of the package at `place`: below it, or beside it or one of its ancestors. */
function placesFor(place: string, name: string): string[] {
  const ancestors = place
    .split('/node_modules/')
    .map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'))
  return [...ancestors.map((ancestor) => `${ancestor}/node_modules/${name}`), `node_modules/${name}`]
}

it('lists the native binaries of every package for all platforms', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !placesFor(place, name).some((where) => where in packages),
    ),
  )
  expect(missing).toEqual([])
})

it('names no registry, so that every machine uses its own', () => {
  const bound = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)
  expect(bound).toEqual([])
})
