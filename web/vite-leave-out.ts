import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** Files of the backend's client library that are made of classes with many methods. */
const LIBRARY_FILE =
  /[\\/]@supabase[\\/](?:auth-js[\\/]dist[\\/]module[\\/]GoTrue\w+|postgrest-js[\\/]dist[\\/]index)\.m?js$/
/** Methods that the language calls by itself. */
const CALLED_UNSAID = ['then', 'toString', 'toJSON']
/** Passkeys: the library makes them ready when it starts, and nothing here uses them. */
const UNUSED_FILE = /[\\/]@supabase[\\/]auth-js[\\/]dist[\\/]module[\\/]lib[\\/]webauthn\.js$/

/**
 * Leaves out of the client library what the product can't reach: a bundler drops functions that nobody calls, but
 * never methods. Those are a quarter of the library, and weigh more than the sign-in screen.
 */
export function leaveOutUnreached(): Plugin {
  let ownWords: Iterable<string> = []
  return {
    name: 'leave-out-unreached',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      ownWords = [...CALLED_UNSAID, ...wordsOfFolder(import.meta.dirname)]
    },
    load: {
      filter: { id: [LIBRARY_FILE, UNUSED_FILE] },
      handler(id) {
        const source = readFileSync(id, 'utf8')
        if (UNUSED_FILE.test(id)) return emptied(source)
        return withoutUnreached(source, methodsIn(this.parse(source)), ownWords)
      },
    },
  }
}

export interface Method {
  name: string
  start: number
  end: number
}

/**
 * The source without the methods that can be reached neither from our own words nor from anything in the file that is
 * no method. A method counts as reached when its name is mentioned at all: some that are idle stay, but what is called
 * is there.
 */
export function withoutUnreached(
  source: string,
  methods: readonly Method[],
  ownWords: Iterable<string>,
): string {
  const unreached = new Set(methods)
  const mentioned = [...new Set([...ownWords, ...wordsIn(cut(source, methods))])]
  for (const word of mentioned) {
    for (const method of unreached) {
      if (method.name !== word) continue
      unreached.delete(method)
      mentioned.push(...wordsIn(source.slice(method.start, method.end)))
    }
  }
  return cut(source, [...unreached])
}

function methodsIn(program: ReturnType<Rolldown.PluginContext['parse']>): Method[] {
  return program.body.flatMap((statement) =>
    classesOf(statement).flatMap((found) =>
      found.body.body.flatMap((member) => {
        const isPlain = member.type === 'MethodDefinition' && member.kind === 'method' && !member.static
        if (!isPlain || member.key.type !== 'Identifier') return []
        return [{ name: member.key.name, start: member.start, end: member.end }]
      }),
    ),
  )
}

type Statement = ReturnType<Rolldown.PluginContext['parse']>['body'][number]

/** The classes that a statement declares, in any of the three ways of writing it. */
function classesOf(statement: Statement) {
  if (statement.type === 'ClassDeclaration') return [statement]
  if (statement.type === 'ExportDefaultDeclaration')
    return statement.declaration.type === 'ClassDeclaration' ? [statement.declaration] : []
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ init }) => (init?.type === 'ClassExpression' ? [init] : []))
}

/** What our own files mention, tests apart. */
function wordsOfFolder(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  return wordsIn(sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n'))
}

function wordsIn(source: string): Set<string> {
  const code = source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  return new Set(code.match(/\w+/g))
}

function cut(source: string, parts: readonly Method[]): string {
  const ordered = parts.toSorted((a, b) => a.start - b.start)
  const ends = [0, ...ordered.map(({ end }) => end)]
  const starts = [...ordered.map(({ start }) => start), source.length]
  return ends.map((from, index) => source.slice(from, starts[index])).join('')
}

/** A module with the exports of the given one, each of them an empty class. */
function emptied(source: string): string {
  const declared = [...source.matchAll(/^export (?:async function|function|class|const) (\w+)/gm)]
  return declared.map(([, name]) => `export class ${name ?? ''} {}`).join('\n')
}
