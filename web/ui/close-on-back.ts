/**
 * "Back" closes the newest dialog or menu instead of leaving the page: the browser's history has an additional entry for
 * each open one, whose state says how many are open there. "Dialog" below means either.
 */
const STATE_KEY = 'openDialogs'

/** Functions that close the open dialogs, the newest last. */
const openDialogs: (() => void)[] = []

/** Until it is started, and after it was stopped, the history is left as it is. */
let isStarted = false

/** Whether a navigation to the entry that matches the open dialogs has begun. */
let isMatching = false

/** How many times `matchHistory` is still to be called. */
let matchesToCome = 0

/** What was requested while entries of closed dialogs were being left. */
const laterNavigations: (() => void)[] = []

/** Makes "back" close dialogs and menus. Returns a function that stops this. */
export function startClosingOnBack(): () => void {
  isStarted = true
  addEventListener('popstate', followHistory)
  return () => {
    isStarted = false
    // The event that ends it is no longer heard.
    isMatching = false
    removeEventListener('popstate', followHistory)
  }
}

function followHistory(): void {
  if (isMatching) isMatching = false
  else for (const close of openDialogs.slice(dialogsInHistory()).toReversed()) close()
  matchLater()
}

/**
 * Lets "back" close a dialog or menu that has just been opened.
 *
 * @param close called on "back"
 * @returns call it when the dialog has been closed, however that happened
 */
export function closeOnBack(close: () => void): () => void {
  openDialogs.push(close)
  matchHistory()
  return () => {
    openDialogs.splice(openDialogs.indexOf(close), 1)
    matchLater()
  }
}

/**
 * Calls `navigate` at once, or when the entries of closed dialogs have been left: the browser takes a moment for that, and would go back
 * from the new page instead.
 */
export function navigateAfterDialogs(navigate: () => void): void {
  if (isMatching || matchesToCome > 0) laterNavigations.push(navigate)
  else navigate()
}

/** Waits until the page has reacted: another dialog may open in place of one that was closed. */
function matchLater(): void {
  matchesToCome += 1
  setTimeout(() => {
    matchesToCome -= 1
    matchHistory()
    if (!isMatching && matchesToCome === 0) for (const navigate of laterNavigations.splice(0)) navigate()
  })
}

/**
 * Adds or leaves history entries until there is one for each open dialog. There are too many of them when a dialog was
 * closed in another way than by "back", or after "forward".
 */
function matchHistory(): void {
  if (!isStarted || isMatching) return
  // A dialog may scroll the page before it closes: returning to the page's entry must not undo that.
  history.scrollRestoration = openDialogs.length > 0 ? 'manual' : 'auto'
  const missing = openDialogs.length - dialogsInHistory()
  if (missing < 0) {
    isMatching = true
    history.go(missing)
  }
  for (let added = 0; added < missing; added += 1) {
    history.pushState({ ...history.state, [STATE_KEY]: dialogsInHistory() + 1 }, '')
  }
}

function dialogsInHistory(): number {
  const state: unknown = history.state
  const isForDialogs = typeof state === 'object' && state !== null && STATE_KEY in state
  return isForDialogs ? Number(state[STATE_KEY]) : 0
}
