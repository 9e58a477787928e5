import type { Prayer, PrayerFields } from './prayer.ts'

/** What can happen to the list of prayers. */
export type PrayerChange =
  /** The row as the server has it now, new or not. */
  | { kind: 'saved'; prayer: Prayer }
  | { kind: 'edited'; id: string; fields: Partial<PrayerFields> }
  | { kind: 'deleted'; id: string }

/** The prayers, newest first, after a change. */
export function applyPrayerChange(prayers: readonly Prayer[], change: PrayerChange): readonly Prayer[] {
  switch (change.kind) {
    case 'saved':
      return withPrayer(prayers, change.prayer)
    case 'edited':
      return prayers.map((prayer) => (prayer.id === change.id ? { ...prayer, ...change.fields } : prayer))
    case 'deleted':
      return prayers.filter((prayer) => prayer.id !== change.id)
  }
}

function withPrayer(prayers: readonly Prayer[], saved: Prayer): readonly Prayer[] {
  if (prayers.some((prayer) => prayer.id === saved.id))
    return prayers.map((prayer) => (prayer.id === saved.id ? saved : prayer))
  const older = prayers.findIndex((prayer) => isNewer(saved, prayer))
  return prayers.toSpliced(older === -1 ? prayers.length : older, 0, saved)
}

/** The order of the list: newest first; of the same moment, the higher id first. */
function isNewer(a: Prayer, b: Prayer): boolean {
  const difference = Date.parse(a.created_at) - Date.parse(b.created_at)
  return difference > 0 || (difference === 0 && a.id > b.id)
}
