import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepLinkPosition, returnToLink } from './link-position.ts'

const scroll = vi.fn<(options: ScrollToOptions) => void>()
let frames: (() => void)[] = []

beforeEach(() => {
  frames = []
  history.replaceState(null, '', '/')
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback))
  vi.stubGlobal('scrollBy', scroll)
})

afterEach(() => {
  document.body.innerHTML = ''
})

/** Renders a link at a distance from the top of the window. */
function renderLink(href: string, top: number): HTMLAnchorElement {
  document.body.innerHTML = `<main><a href="${href}">Anna</a></main>`
  const link = document.querySelector('a') ?? document.createElement('a')
  vi.spyOn(link, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, top))
  return link
}

const nextFrame = () => frames.splice(0).forEach((frame) => frame())

it('focuses the link that was followed, and scrolls it to where it was, once it is rendered', () => {
  renderLink('/prayer/anna#update', 340)
  keepLinkPosition('/prayer/anna')
  document.body.innerHTML = ''
  returnToLink('/prayer/anna')
  nextFrame()
  const link = renderLink('/prayer/anna#update', 860)
  nextFrame()
  vi.spyOn(link, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 340))
  while (frames.length > 0) nextFrame()
  expect(document.activeElement).toBe(link)
  expect(scroll).toHaveBeenCalledExactlyOnceWith({ top: 520, behavior: 'instant' })
})

it.each(['wheel', 'touchstart', 'pointerdown', 'keydown'])(
  'leaves the page to the user from the first %s on',
  (type) => {
    renderLink('/prayer/anna', 340)
    keepLinkPosition('/prayer/anna')
    renderLink('/prayer/anna', 860)
    returnToLink('/prayer/anna')
    nextFrame()
    expect(scroll).toHaveBeenCalledTimes(1)
    document.body.dispatchEvent(new Event(type, { bubbles: true }))
    while (frames.length > 0) nextFrame()
    expect(scroll).toHaveBeenCalledTimes(1)
  },
)

it('leaves the focus where it is if the screen was not left by a link, or the link is not there any more', () => {
  renderLink('/prayer/anna', 340)
  returnToLink('/prayer/anna')
  expect(frames).toEqual([])
  keepLinkPosition('/prayer/anna')
  document.body.innerHTML = '<main><h1 tabindex="-1">Prayers</h1></main>'
  const heading = document.querySelector('h1')
  heading?.focus()
  returnToLink('/prayer/anna')
  while (frames.length > 0) nextFrame()
  expect(document.activeElement).toBe(heading)
})
