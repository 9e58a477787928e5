import { parseArgs } from 'node:util'

/** The parts of the bench, in the order in which they run. */
export const SECTIONS = ['server', 'plan', 'start', 'signins', 'scale', 'page', 'use'] as const
export type Section = (typeof SECTIONS)[number]

export interface Options {
  sections: readonly Section[]
  /** Few and short rounds: shows that everything works, and nothing more. */
  quick: boolean
}

/** Reads the command line. Throws an Error that names what is accepted. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
  })
  return { sections: readSections(values.only), quick: values.quick }
}

function readSections(only: string | undefined): readonly Section[] {
  if (only === undefined) return SECTIONS
  const wanted = new Set(only.split(','))
  const sections = SECTIONS.filter((section) => wanted.delete(section))
  if (wanted.size > 0) {
    throw new Error(`--only is "${only}"; it takes ${SECTIONS.join(', ')}, or several of them with commas.`)
  }
  return sections
}
