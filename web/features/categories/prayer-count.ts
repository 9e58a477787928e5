/** "1 prayer", "2 prayers": the words of the count badge. */
export function prayerCountText(count: number): string {
  return `${count} ${count === 1 ? 'prayer' : 'prayers'}`
}
