import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { enter, press } from '#web/test-rendering.tsx'
import { TextField } from './fields.tsx'
import { useForm } from './use-form.ts'
import { useSubmission } from './use-submission.ts'

it('ignores further submissions until the first one is finished', async () => {
  const { result } = renderHook(() => useSubmission())
  let finish: (value: undefined) => void = () => {}
  const response = new Promise<undefined>((resolve) => {
    finish = resolve
  })
  let sent = 0
  const send = () => {
    sent += 1
    return response
  }
  act(() => {
    void result.current.submit(send)
    void result.current.submit(send)
  })
  expect(sent).toBe(1)
  expect(result.current.busy).toBe(true)
  await act(async () => finish(undefined))
  expect(result.current.busy).toBe(false)
})

it('ignores a submission that comes before what the first one has changed shows', async () => {
  const { result } = renderHook(() => useSubmission())
  let sent = 0
  const send = async () => {
    sent += 1
  }
  await act(async () => {
    // Nothing is rendered before the end.
    await result.current.submit(send)
    await result.current.submit(send)
  })
  expect(sent).toBe(1)
  await act(() => result.current.submit(send))
  expect(sent).toBe(2)
})

it('is no longer busy after an unexpected error', async () => {
  const { result } = renderHook(() => useSubmission())
  await act(async () => {
    const submission = result.current.submit(() => Promise.reject(new Error('unexpected')))
    await expect(submission).rejects.toThrow('unexpected')
  })
  expect(result.current.busy).toBe(false)
})

it('stays busy while the next page loads, until the user comes back', async () => {
  const { result } = renderHook(() => useSubmission())
  await act(() => result.current.submit(async () => ({ busy: true })))
  expect(result.current.busy).toBe(true)
  act(() => {
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }))
  })
  expect(result.current.busy).toBe(false)
})

describe('a form', () => {
  const save =
    vi.fn<(name: string) => Promise<{ errors?: { name: string }; select?: boolean; error?: string }>>()

  function SampleForm() {
    const form = useForm({
      check: (read) => ({
        name: read('name') === '' ? 'Missing' : null,
        place: read('place').length < 3 ? `Too short: ${read('place')}` : null,
      }),
      save: (read) => save(read('name')),
    })
    return (
      <form {...form.props}>
        <TextField label="Name" name="name" defaultValue="Ruth" error={form.errors.name} />
        <TextField label="Place" name="place" defaultValue="Moab" error={form.errors.place} />
        <p>{form.error}</p>
        <button type="submit">Save</button>
      </form>
    )
  }
  const errors = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

  it('says what has to be corrected when it is submitted, until it is, and nothing new meanwhile', async () => {
    render(<SampleForm />)
    enter('Place', 'a')
    expect(errors()).toEqual([])
    await press('Save')
    expect(errors()).toEqual(['Too short: a'])
    expect(document.activeElement).toBe(field('Place'))
    enter('Name', '')
    enter('Place', 'ab')
    expect(errors()).toEqual(['Too short: ab'])
    enter('Place', 'abc')
    enter('Place', '')
    expect(errors()).toEqual([])
    expect(save).not.toHaveBeenCalled()
  })

  it('says why it was not saved, until it is submitted again', async () => {
    save.mockResolvedValueOnce({ error: 'No connection' }).mockResolvedValueOnce({})
    render(<SampleForm />)
    await press('Save')
    expect(screen.getByText('No connection')).toBeDefined()
    await press('Save')
    expect(screen.queryByText('No connection')).toBeNull()
    expect(save.mock.calls).toEqual([['Ruth'], ['Ruth']])
  })

  it('selects what the server rejects', async () => {
    save.mockResolvedValue({ errors: { name: 'Not found' }, select: true })
    render(<SampleForm />)
    await press('Save')
    expect(errors()).toEqual(['Not found'])
    expect(document.activeElement).toBe(field('Name'))
    expect(field('Name').selectionEnd).toBe('Ruth'.length)
  })
})
