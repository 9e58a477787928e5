import { showAppearance } from '#web/lib/appearance/show-appearance.ts'

// Runs before the page is painted: a script of its own, which the page waits for (web/build/first-paint-plugin.ts).
showAppearance()
// Another tab may change it.
addEventListener('storage', showAppearance)
