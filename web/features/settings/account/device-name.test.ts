import { expect, it } from 'vitest'
import { deviceName } from './device-name.ts'

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const ON_IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

it.each([
  ['Mozilla/5.0 (Android 14; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0', 'Firefox on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox on Linux'],
  [`${ON_IPHONE} FxiOS/131.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iPhone'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${KHTML} HeadlessChrome/147.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/130.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/130.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`${ON_IPHONE} CriOS/130.0.6723.90 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${KHTML} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${KHTML} Chrome/130.0.0.0 Mobile Safari/537.36 EdgA/130.0.0.0`,
    'Edge on Android',
  ],
  [`${ON_IPHONE} Version/18.0 EdgiOS/130.0.2849.68 Mobile/15E148 Safari/605.1.15`, 'Edge on iPhone'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${KHTML} Chrome/129.0.0.0 Safari/537.36 OPR/115.0.0.0`,
    'Opera on Mac',
  ],
  [`${ON_IPHONE} Version/18.0 Mobile/15E148 Safari/604.1 OPT/5.2.0`, 'Opera on iPhone'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on Mac',
  ],
  [`${ON_IPHONE} Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
    'Safari on iPad',
  ],
  ['Mozilla/5.0 (Linux; Android 14) Something/1.0', 'Browser on Android'],
  ['Firefox/131.0', 'Firefox'],
  ['curl/8.10.1', 'Unknown browser'],
  ['', 'Unknown browser'],
  [null, 'Unknown browser'],
])('%j is %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})
