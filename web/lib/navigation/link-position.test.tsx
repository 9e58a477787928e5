import { beforeEach, expect, it, vi } from 'vitest'
import { keepLinkPosition, returnToLink } from './link-position.ts'

const otherwise = vi.fn<() => void>()
const scroll = vi.fn<(options: ScrollToOptions) => void>()
let frames: (() => void)[] = []

beforeEach(() => {
  frames = []
  history.replaceState(null, '', '/')
  document.body.innerHTML = ''
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback))
  vi.stubGlobal('scrollBy', scroll)
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
  returnToLink('/prayer/anna', otherwise)
  nextFrame()
  const link = renderLink('/prayer/anna#update', 860)
  nextFrame()
  vi.spyOn(link, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 340))
  while (frames.length > 0) nextFrame()
  expect(document.activeElement).toBe(link)
  expect(scroll).toHaveBeenCalledExactlyOnceWith({ top: 520, behavior: 'instant' })
  expect(otherwise).not.toHaveBeenCalled()
})

it.each(['wheel', 'touchstart', 'pointerdown', 'keydown'])(
  'leaves the page to the user from the first %s on',
  (type) => {
    renderLink('/prayer/anna', 340)
    keepLinkPosition('/prayer/anna')
    renderLink('/prayer/anna', 860)
    returnToLink('/prayer/anna', otherwise)
    nextFrame()
    expect(scroll).toHaveBeenCalledTimes(1)
    document.body.dispatchEvent(new Event(type, { bubbles: true }))
    while (frames.length > 0) nextFrame()
    expect(scroll).toHaveBeenCalledTimes(1)
    expect(otherwise).not.toHaveBeenCalled()
  },
)

it('does something else if the link is not there any more', () => {
  returnToLink('/prayer/anna', otherwise)
  while (frames.length > 0) nextFrame()
  expect(otherwise).toHaveBeenCalledTimes(1)
})
