/**
 * What each browser has in its user agent and those before it do not: many also name the browsers that they are like. Without a window,
 * some add to their name, as in `HeadlessChrome/`.
 */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/(?:OPR|OPT|OPX)\//, 'Opera'],
  [/Vivaldi\//, 'Vivaldi'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(?:DuckDuckGo|Ddg)\//, 'DuckDuckGo'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** Android also names Linux, and iPhones name macOS. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * The browser and the system that a user agent names, for example `Firefox on Android`.
 *
 * @param userAgent null if it is not known
 */
export function deviceName(userAgent: string | null): string {
  const browser = find(BROWSERS, userAgent)
  const system = find(SYSTEMS, userAgent)
  if (browser === null) return system === null ? 'Unknown browser' : `Browser on ${system}`
  return system === null ? browser : `${browser} on ${system}`
}

function find(names: typeof BROWSERS, userAgent: string | null): string | null {
  return names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? null
}
