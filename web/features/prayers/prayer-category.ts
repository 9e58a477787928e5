/** What the dashboard knows of a category. */
export type PrayerCategory = { id: string; name: string }
