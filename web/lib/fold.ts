const NOT_ASCII = /[^\0-\x7f]+/g

/**
 * Accents of Latin, Greek and Cyrillic letters, the vowel points of Hebrew and Arabic, and characters that are invisible.
 * The marks of other scripts are kept, because there they distinguish letters (か and が, कि and की).
 */
const ACCENTS =
  /(?![\u3099\u309a])(?=\p{Mn})[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Greek}]|\p{Cf}|\u0640/gu

/** Characters that people expect to be found with others, although Unicode does not decompose them. */
const EQUIVALENTS = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ħ: 'h',
    ŧ: 't',
    ı: 'i',
    ς: 'σ',
    // Arabic and Persian forms of alef, yeh, kaf and teh marbuta
    ٱ: 'ا',
    ى: 'ي',
    ی: 'ي',
    ک: 'ك',
    ة: 'ه',
    // Typographic apostrophes and hyphens
    '‘': "'",
    '’': "'",
    ʼ: "'",
    '‐': '-',
    '–': '-',
    '—': '-',
  }),
)
const HAS_EQUIVALENT = new RegExp(`[${[...EQUIVALENTS.keys()].join('')}]`, 'g')

/** A text as it is compared: without case and accents. */
export function fold(text: string): string {
  return text.toLowerCase().replace(NOT_ASCII, foldNotAscii)
}

/** Most characters of most texts are ASCII; for the others it takes longer. */
function foldNotAscii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(HAS_EQUIVALENT, (character) => EQUIVALENTS.get(character) ?? character)
}

/** Whether two names are the same apart from case, accents and spaces. */
export function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b)
}

/** A name as it is compared: without case, accents and spaces. */
export function foldName(name: string): string {
  return fold(name).replaceAll(/\s+/g, '')
}
