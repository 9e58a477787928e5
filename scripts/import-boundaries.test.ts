import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const CONFIGURATION = ['package.json', 'tsconfig.json', 'web/tsconfig.json', '.oxlintrc.json']

/** The ways in which one file can import another. */
const SPELLINGS = {
  relative: (path: string) => `import { target } from '${path}'\nexport const used = target\n`,
  alias: (path: string) => `import { target } from '${path}'\nexport const used = target\n`,
  'type-only': (path: string) => `import type { Target } from '${path}'\nexport type Used = Target\n`,
  'inline type': (path: string) => `import { type Target } from '${path}'\nexport type Used = Target\n`,
  'import type expression': (path: string) => `export type Used = import('${path}').Target\n`,
  'type-only export': (path: string) => `export type { Target } from '${path}'\n`,
  're-export': (path: string) => `export { target } from '${path}'\n`,
  dynamic: (path: string) => `export const used = async () => (await import('${path}')).target\n`,
}
type Spelling = keyof typeof SPELLINGS

const FORBIDDEN: readonly (readonly [from: string, to: string])[] = [
  ['web/features/pray/seed.ts', 'web/features/categories/target.ts'],
  ['web/features/pray/seed.ts', 'web/features/prayers/target.ts'],
  ['web/features/prayer-parts/seed.ts', 'web/features/prayers/target.ts'],
  ['web/features/prayers/seed.ts', 'web/app/target.ts'],
  ['web/features/prayers/seed.ts', 'server/auth/target.ts'],
  ['web/ui/seed.ts', 'web/lib/target.ts'],
  ['web/ui/seed.ts', 'shared/target.ts'],
  ['web/lib/session/seed.ts', 'web/features/prayers/target.ts'],
  ['web/worker/seed.ts', 'web/app/target.ts'],
  ['web/app/seed.ts', 'web/worker/target.ts'],
  ['web/app/seed.ts', 'server/db/target.ts'],
  ['web/app/seed.ts', 'tests/support/target.ts'],
  ['server/http/seed.ts', 'web/app/target.ts'],
  ['server/http/seed.ts', 'server/rest/target.ts'],
  ['server/auth/seed.ts', 'server/http/target.ts'],
  ['server/auth/seed.ts', 'server/rest/target.ts'],
  ['server/auth/seed.ts', 'server/commands/target.ts'],
  ['server/commands/seed.ts', 'server/rest/target.ts'],
  ['server/rest/seed.ts', 'server/http/target.ts'],
  ['server/rest/seed.ts', 'server/auth/target.ts'],
  ['server/mail/seed.ts', 'server/auth/target.ts'],
  ['server/jwt/seed.ts', 'server/db/target.ts'],
  ['server/db/seed.ts', 'server/auth/target.ts'],
  ['server/errors/seed.ts', 'server/http/target.ts'],
  ['server/errors/seed.ts', 'shared/target.ts'],
  ['server/seed.ts', 'tests/support/target.ts'],
  ['server/rest/seed.ts', 'bench/target.ts'],
  ['bench/seed.ts', 'server/db/target.ts'],
  ['bench/seed.ts', 'web/lib/target.ts'],
  ['bench/seed.ts', 'shared/target.ts'],
  ['shared/seed.ts', 'server/errors/target.ts'],
  ['shared/seed.ts', 'web/lib/target.ts'],
]

const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  ['web/app/seed.ts', 'web/features/categories/target.ts'],
  ['web/app/seed.ts', 'web/features/prayers/target.ts'],
  ['web/features/prayers/seed.ts', 'web/features/prayer-parts/target.ts'],
  ['web/features/prayers/seed.ts', 'web/features/prayers/target.ts'],
  ['web/features/prayers/seed.ts', 'web/ui/target.ts'],
  ['web/features/prayers/seed.ts', 'web/lib/target.ts'],
  ['web/features/prayers/seed.ts', 'shared/target.ts'],
  ['web/lib/seed.ts', 'shared/target.ts'],
  ['web/worker/seed.ts', 'web/lib/navigation/target.ts'],
  ['web/lib/seed.test.ts', 'tests/support/target.ts'],
  ['server/seed.ts', 'server/auth/target.ts'],
  ['server/auth/seed.ts', 'server/db/target.ts'],
  ['server/commands/seed.ts', 'server/auth/target.ts'],
  ['server/auth/seed.ts', 'server/jwt/target.ts'],
  ['server/auth/seed.ts', 'server/mail/target.ts'],
  ['server/rest/seed.ts', 'server/errors/target.ts'],
  ['server/http/seed.ts', 'server/jwt/target.ts'],
  ['server/db/seed.ts', 'server/errors/target.ts'],
  ['server/db/seed.ts', 'shared/target.ts'],
  ['tests/db/seed.ts', 'server/db/target.ts'],
  ['scripts/seed.ts', 'server/db/target.ts'],
]

interface Seed {
  name: string
  file: string
  source: string
  to: string
}

/** Each pair by the alias, and the first one in every spelling. */
function seedsOf(pairs: typeof FORBIDDEN, mark: string): Seed[] {
  return pairs.flatMap(([from, to], pair) =>
    (pair === 0 ? spellings() : (['alias'] as const)).map((spelling, index) => {
      const file = from.replace('seed', `${mark}-${pair}-${index}`)
      const path = spelling === 'relative' ? relativePath(file, to) : `#${to}`
      return { name: `${from} → ${to}, ${spelling}`, file, source: SPELLINGS[spelling](path), to }
    }),
  )
}

function spellings(): Spelling[] {
  return [
    'relative',
    'alias',
    'type-only',
    'inline type',
    'import type expression',
    'type-only export',
    're-export',
    'dynamic',
  ]
}

function relativePath(file: string, to: string): string {
  const path = relative(dirname(file), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** Lints a copy of the project's configuration with the seeds in it; returns the files that were reported. */
async function lint(seeds: readonly Seed[]): Promise<Set<string>> {
  const copy = await mkdtemp(join(tmpdir(), 'intercede-lint-'))
  try {
    for (const file of CONFIGURATION) await cp(join(ROOT, file), join(copy, file))
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
    for (const { file, source, to } of seeds) {
      await write(join(copy, file), source)
      await write(join(copy, to), 'export const target = 1\nexport type Target = typeof target\n')
    }
    return new Set(await reportedFiles(copy))
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

async function reportedFiles(folder: string): Promise<string[]> {
  const linter = join(ROOT, 'node_modules/oxlint/bin/oxlint')
  const output = await new Promise<string>((done, fail) => {
    execFile(
      process.execPath,
      [linter, '--format=unix'],
      { cwd: folder, maxBuffer: 1e8 },
      (error, stdout) => {
        // The linter exits with 1 if it reports anything.
        if (error === null || error.code === 1) done(stdout)
        else fail(new Error('The linter failed.', { cause: error }))
      },
    )
  })
  const findings = output.split('\n').filter((line) => line.includes('[Error/boundaries('))
  return findings.map((line) => line.slice(0, line.indexOf(':')))
}

describe('import boundaries', () => {
  const forbidden = seedsOf(FORBIDDEN, 'forbidden')
  const allowed = seedsOf(ALLOWED, 'allowed')
  const unknown = [
    {
      name: 'an unknown folder',
      file: 'web/misc/new.ts',
      source: '',
      to: 'shared/target.ts',
    },
  ]
  let reported = new Set<string>()

  beforeAll(async () => {
    reported = await lint([...forbidden, ...allowed, ...unknown])
  })

  it.each([...forbidden, ...unknown])('reports $name', ({ file }) => {
    expect(reported).toContain(file)
  })

  it.each(allowed)('accepts $name', ({ file }) => {
    expect(reported).not.toContain(file)
  })
})
