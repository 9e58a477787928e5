import type { Page } from '@playwright/test'
import type { ServerProcess } from '#tests/e2e/fixtures/server-process.ts'
import { type Screens, screensOf } from '#tests/e2e/screens/screens.ts'
import type { User } from '#tests/e2e/fixtures/user.ts'

/** A page and the screens it can show. */
export interface SceneContext extends Screens {
  server: ServerProcess
}

/** A state of a screen, to take a screenshot of. */
export interface Scene {
  /** File name of the screenshots, without width and theme. */
  name: string
  /** The signed-in user, if any. */
  user?: User
  /** In pixels, by default all widths. */
  widths?: readonly number[]
  /** Captures only what is in the window, with the elements fixed to it, instead of the whole page. */
  windowOnly?: true
  /** Brings the page into the state, without changing the user's data. */
  run: (context: SceneContext) => Promise<void>
}

export function sceneContext(page: Page, server: ServerProcess): SceneContext {
  return { ...screensOf(page), server }
}
