import { build } from 'vite'

/**
 * Bundles a file, with what it imports, into one classic script.
 *
 * @param define values of global constants, as source text
 */
export async function bundleScript(
  file: string,
  define: Readonly<Record<string, string>> = {},
): Promise<string> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { ...define },
    build: {
      write: false,
      rolldownOptions: { input: file, output: { format: 'iife' } },
    },
  })
  const outputs = [result].flat().flatMap((built) => ('output' in built ? built.output : []))
  const [script] = outputs.flatMap((output) => (output.type === 'chunk' ? output.code : []))
  if (script === undefined) throw new Error(`${file} was not built.`)
  return script
}
