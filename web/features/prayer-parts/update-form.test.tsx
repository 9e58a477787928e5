import { act, cleanup, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { anna, FakeServer, openSynced, updateOnAnna } from '#web/data/user-data.test-data.ts'
import type { PrayerUpdate } from '#web/data/prayer-updates.ts'
import { prayerActions } from '#web/data/prayer-actions.ts'
import { hasDrafts } from '#web/lib/storage/draft-owner.ts'
import { saveDraft } from '#web/lib/storage/drafts.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { type UpdateDraft, UpdateForm } from './update-form.tsx'

let server: FakeServer
const onSaved = vi.fn<() => void>()

beforeEach(() => {
  server = new FakeServer()
  server.put('prayers', anna)
  server.put('prayer_updates', updateOnAnna)
})

async function openForms() {
  const { data, sync } = await openSynced(server)
  const bodies = () => sync.rows('prayer_updates').map(({ body }) => body)
  /** Opens the form in place of the one that is open. */
  const open = (options: { update?: PrayerUpdate; draft?: UpdateDraft } = {}) => {
    cleanup()
    renderWithData(
      <UpdateForm
        label="Text"
        submitLabel="Save"
        prayerId="anna"
        focusOnOpen={false}
        draft={undefined}
        {...options}
        onSaved={onSaved}
        onCancel={() => {}}
      />,
      data,
    )
  }
  return { data, bodies, open }
}
const text = () => screen.getByLabelText<HTMLTextAreaElement>('Text')
const alert = () => screen.queryByRole('alert')?.textContent
const offer = () => screen.queryByText(/You had typed/)?.textContent

describe('a new update', () => {
  it('is saved without the space around it, once', async () => {
    const { bodies, open } = await openForms()
    open()
    enter('Text', ' She is home \n')
    await press('Save')
    await press('Save')
    expect(onSaved).toHaveBeenCalled()
    expect(bodies()).toEqual(['She is home', 'She is better'])
  })

  it('needs a text', async () => {
    const { bodies, open } = await openForms()
    open()
    enter('Text', ' ')
    await press('Save')
    expect(alert()).toBe('Please enter an update')
    expect(document.activeElement).toBe(text())
    expect(bodies()).toEqual(['She is better'])
  })

  it('keeps its text if it cannot be saved, and says why', async () => {
    expectConsoleError('Prayer not found')
    const { data, open } = await openForms()
    open()
    enter('Text', 'She is home')
    await act(() => prayerActions(data).remove(anna))
    await press('Save')
    expect(text().value).toBe('She is home')
    expect(alert()).toBe('Prayer not found')
    expect(document.activeElement).toBe(text())
    expect(onSaved).not.toHaveBeenCalled()
  })
})

describe('a text that was not saved', () => {
  it('is offered when the form is opened again, and saved under its id', async () => {
    const { open, bodies } = await openForms()
    open()
    enter('Text', 'She is home')
    open()
    expect(text().value).toBe('')
    expect(offer()).toContain('She is home')
    await press('Bring it back')
    expect(text().value).toBe('She is home')
    expect(document.activeElement).toBe(text())
    await press('Save')
    expect(bodies()).toEqual(['She is home', 'She is better'])
    expect(hasDrafts()).toBe(false)
  })

  it('of another form is not offered', async () => {
    const { open } = await openForms()
    saveDraft(['new-update', 'anna', 'x'], { id: 'x', body: 'She is home' })
    saveDraft(['new-update', 'ruth', 'y'], { id: 'y', prayer_id: 'ruth', update_id: null, body: 'Ruth' })
    open()
    expect(offer()).toBeUndefined()
  })
})

describe('an update that is changed', () => {
  it('begins with its text, and has a draft of its own', async () => {
    const { bodies, open } = await openForms()
    open({ update: updateOnAnna })
    expect(text().value).toBe('She is better')
    enter('Text', 'She is well')
    open()
    expect(offer()).toBeUndefined()
    open({ update: updateOnAnna })
    expect(offer()).toContain('She is well')
    await press('Bring it back')
    await press('Save')
    expect(bodies()).toEqual(['She is well'])
  })

  it('is not sent if it is as before', async () => {
    const { open } = await openForms()
    open({ update: updateOnAnna })
    await press('Save')
    expect(onSaved).toHaveBeenCalledTimes(1)
    expect(server.changes).toEqual([])
  })

  it('becomes a new one under another id if it was deleted meanwhile, and leaves no draft', async () => {
    const { bodies, open } = await openForms()
    const draft = { id: 'new', prayer_id: 'anna', update_id: 'deleted', body: 'She is well' }
    saveDraft(['update', 'deleted', 'new'], draft)
    open({ draft })
    expect(text().value).toBe('She is well')
    await press('Save')
    expect(hasDrafts()).toBe(false)
    expect(bodies()).toEqual(['She is well', 'She is better'])
  })
})
