/**
 * Parameters as Go's url.Values.Encode writes them: sorted by name, spaces as plus signs, everything escaped but
 * letters, digits and `-_.~`.
 */
export function encodeParameters(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${escape(name)}=${escape(value)}`)
    .join('&')
}

function escape(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}
