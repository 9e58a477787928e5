/**
 * Compiles a pattern of allowed addresses: `*` and `?` stay between the separators `.` and `/`, `**` crosses them,
 * `[a-z]`, `[!a]`, `{one,two}` and `\` as usual. These are the rules of github.com/gobwas/glob as GoTrue uses it
 * (internal/conf/configuration.go), which no glob package of this ecosystem offers.
 */
export function compileAddressPattern(pattern: string): RegExp {
  return new RegExp(`^${translate(pattern)}$`, 's')
}

const TOKEN =
  /\\(?<escaped>.)|(?<any>\*\*+)|(?<some>\*)|(?<one>\?)|\[(?<not>!?)(?<set>[^\]]+)\]|\{(?<choice>[^{}]*)\}|(?<plain>.)/gsu

function translate(pattern: string): string {
  return Array.from(pattern.matchAll(TOKEN), ({ groups = {} }) => {
    if (groups['any'] !== undefined) return '.*'
    if (groups['some'] !== undefined) return '[^./]*'
    if (groups['one'] !== undefined) return '[^./]'
    if (groups['set'] !== undefined)
      return `[${groups['not'] === '!' ? '^' : ''}${literalSet(groups['set'])}]`
    if (groups['choice'] !== undefined) return `(?:${groups['choice'].split(',').map(translate).join('|')})`
    return literal(groups['escaped'] ?? groups['plain'] ?? '')
  }).join('')
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

function literalSet(text: string): string {
  return text.replace(/[\\^[\]]/g, '\\$&')
}
