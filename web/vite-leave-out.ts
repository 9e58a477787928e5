import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { partsIn } from './vite-class-parts.ts'
import { withoutBlocks, withoutUnreached, wordsIn } from './vite-unreached.ts'

const MODULES = join(import.meta.dirname, '..', 'node_modules')

/** The files of each library that are made of classes with many methods, and those that call such methods. */
const LIBRARIES = [
  filesIn('@supabase/auth-js/dist/module', ['GoTrueAdminApi.js', 'GoTrueClient.js']),
  filesIn('@supabase/postgrest-js/dist', ['index.mjs']),
  [
    ...filesIn('@tanstack/query-core/build/modern', [
      'environmentManager.js',
      'focusManager.js',
      'mutation.js',
      'mutationCache.js',
      'mutationObserver.js',
      'notifyManager.js',
      'onlineManager.js',
      'query.js',
      'queryCache.js',
      'queryClient.js',
      'queryObserver.js',
      'removable.js',
      'retryer.js',
      'subscribable.js',
      'timeoutManager.js',
      'utils.js',
    ]),
    ...filesIn('@tanstack/react-query/build/modern', [
      'errorBoundaryUtils.js',
      'IsRestoringProvider.js',
      'QueryClientProvider.js',
      'QueryErrorResetBoundary.js',
      'queryOptions.js',
      'suspense.js',
      'useBaseQuery.js',
      'useMutationState.js',
      'useQuery.js',
    ]),
  ],
]

/** What the libraries ask for only where a feature is used that nothing here uses: passkeys, and lists kept in pages. */
const UNUSED = [
  ...filesIn('@supabase/auth-js/dist/module/lib', ['webauthn.js']),
  ...filesIn('@tanstack/query-core/build/modern', ['infiniteQueryBehavior.js']),
]

/** Where the client library asks for a setting of its own, by the word with which that would be chosen here. */
const SETTINGS = {
  pkce: ["this.flowType === 'pkce'"],
  lock: ['this.lock != null', 'settings.lock != null'],
  userStorage: ['this.userStorage', 'settings.userStorage'],
  debug: ["typeof settings.debug === 'function'", 'this.logDebugMessages', 'this.instanceID > 0'],
}

/** Methods that the language calls by itself. */
const CALLED_UNSAID = ['then', 'toString', 'toJSON']

/**
 * Leaves out of the libraries what the product can't reach: a bundler drops functions that nobody calls, but never
 * methods. Those are a quarter of the client library, and weigh more than the sign-in screen.
 */
export function leaveOutUnreached(): Plugin {
  const left = new Map<string, string>()
  return {
    name: 'leave-out-unreached',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      const ownWords = wordsOfFolder(import.meta.dirname)
      const unchosen = Object.entries(SETTINGS).flatMap(([word, tests]) => (ownWords.has(word) ? [] : tests))
      for (const files of LIBRARIES) {
        const texts = files.map((file) => withoutBlocks(readFileSync(file, 'utf8'), unchosen))
        const sources = texts.map((text) => ({ text, parts: partsIn(this.parse(text)) }))
        const reached = withoutUnreached(sources, [...CALLED_UNSAID, ...ownWords])
        for (const [index, file] of files.entries()) left.set(file, reached[index] ?? '')
      }
      for (const file of UNUSED) left.set(file, emptied(readFileSync(file, 'utf8')))
    },
    load: (id) => left.get(id),
    generateBundle(_options, bundle) {
      for (const id of modulesIn(bundle).filter((module) => !left.has(module))) {
        if (LIBRARIES.flat().some((file) => dirname(file) === dirname(id)))
          this.error(
            `${id} is in the build, and was not asked what it calls: add it in web/vite-leave-out.ts.`,
          )
      }
    },
  }
}

function filesIn(folder: string, names: readonly string[]): string[] {
  return names.map((name) => join(MODULES, folder, name))
}

function modulesIn(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules))
  return modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([id]) => id)
}

/** What the product's own files mention: neither tests nor what builds it. */
function wordsOfFolder(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /^(?!vite).*(?<!\.test)\.tsx?$/.test(file))
  return wordsIn(sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n'))
}

/** A module with the exports of the given one, each of them an empty class. */
function emptied(source: string): string {
  const declared = [...source.matchAll(/^export (?:async function|function|class|const) (\w+)/gm)]
  const listed = source.match(/^export {([^}]*)}/m)?.[1]?.split(',') ?? []
  const names = [...declared.map(([, name]) => name ?? ''), ...listed.map((name) => name.trim())]
  return names.map((name) => `export class ${name} {}`).join('\n')
}
