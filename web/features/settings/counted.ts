const FORMS = {
  prayer: ['prayer', 'prayers'],
  category: ['category', 'categories'],
} as const

/** `1 prayer`, `2 prayers`. */
export function counted(count: number, what: keyof typeof FORMS): string {
  const [one, many] = FORMS[what]
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** `2 prayers and 1 category`; what there is none of is left out. Null when there is nothing at all. */
export function countedTogether(prayers: number, categories: number): string | null {
  const parts = [
    prayers > 0 && counted(prayers, 'prayer'),
    categories > 0 && counted(categories, 'category'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : parts.join(' and ')
}
