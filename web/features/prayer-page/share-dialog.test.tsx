import { render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { enter, press } from '#web/test-rendering.tsx'
import { ShareDialog } from './share-dialog.tsx'

const onClose = vi.fn<() => void>()
const share = vi.fn<(data: ShareData) => Promise<void>>()
const writeText = vi.fn<(text: string) => Promise<void>>()

/** @param abilities what the browser offers */
function open(
  abilities: { share?: typeof share; clipboard?: { writeText: typeof writeText } },
  request = 'Peace',
) {
  for (const [name, value] of Object.entries(abilities))
    Object.defineProperty(navigator, name, { value, configurable: true })
  render(<ShareDialog name="Anna" request={request} onClose={onClose} />)
}

afterEach(() => {
  for (const name of ['share', 'clipboard']) Reflect.deleteProperty(navigator, name)
})

const field = () => screen.getByLabelText<HTMLTextAreaElement>('Text')

describe('the text', () => {
  it.each([
    ['Peace\nand rest', 'Please pray for Anna: Peace\nand rest'],
    ['', 'Please pray for Anna.'],
  ])('of a prayer with the request %j is %j', (request, text) => {
    open({}, request)
    expect(field().value).toBe(text)
  })

  it('is passed on to other apps exactly as it is shown, and not before that', async () => {
    share.mockResolvedValue()
    open({ share })
    enter('Text', 'Please pray for A.')
    expect(share).not.toHaveBeenCalled()
    await press('Share')
    expect(share).toHaveBeenCalledExactlyOnceWith({ text: 'Please pray for A.' })
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  it.each([{ share }, {}])('is copied exactly as it is shown: %o', async (abilities) => {
    writeText.mockResolvedValue()
    open({ ...abilities, clipboard: { writeText } })
    enter('Text', ' Please pray for A. ')
    await press('Copy')
    expect(writeText).toHaveBeenCalledExactlyOnceWith(' Please pray for A. ')
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  it('is not passed on if it is empty', async () => {
    open({ share })
    enter('Text', ' ')
    await press('Share')
    expect(screen.getByRole('alert').textContent).toBe('Please enter a text')
    expect(share).not.toHaveBeenCalled()
  })
})

it('stays open when the user decides against sharing', async () => {
  share.mockRejectedValue(new DOMException('', 'AbortError'))
  open({ share })
  await press('Share')
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('says so if sharing fails', async () => {
  share.mockRejectedValue(new DOMException('', 'NotAllowedError'))
  open({ share })
  await press('Share')
  expect(screen.getByRole('alert').textContent).toContain('You can copy it instead.')
})

it('selects the text where the browser has no clipboard', async () => {
  open({})
  await press('Copy')
  expect(screen.getByRole('alert').textContent).toContain('It is selected')
  expect(field().selectionEnd).toBe('Please pray for Anna: Peace'.length)
})
