import { act, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { anna, FakeServer, family, openSynced } from '#web/data/user-data.test-data.ts'
import { answerToRecord } from '#web/lib/navigation/navigation-state.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { RecordAnswer } from './record-answer.tsx'

const announceAgain = vi.fn<() => void>()

afterEach(() => vi.restoreAllMocks())

function Requested() {
  const requested = useStore(answerToRecord)
  return requested && <RecordAnswer {...requested} />
}

/** Beside a row that has taken the place of the prayer's. */
async function show(resolved: boolean) {
  const server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', { ...anna, resolved })
  const { data } = await openSynced(server)
  answerToRecord.set({ prayerId: 'anna', announceAgain })
  renderWithData(
    <>
      <ul>
        <li data-prayer="ben">
          <button type="button">Mark as resolved</button>
          <a href="/prayer/ben">Ben</a>
        </li>
      </ul>
      <Requested />
    </>,
    data,
  )
  // As browsers do.
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(() =>
    screen.getByRole('button', { name: 'Mark as resolved' }).focus(),
  )
  await act(async () => {})
}

it('closed, offers to undo again that the prayer was resolved, and focuses nothing that resolves the next one', async () => {
  await show(true)
  enter(/How was it answered/, 'She is home')
  await press('Close')
  expect(announceAgain).toHaveBeenCalledTimes(1)
  expect(document.activeElement?.textContent).toBe('Ben')
})

it('offers to undo nothing that was undone elsewhere', async () => {
  await show(false)
  await press('Close')
  expect(announceAgain).not.toHaveBeenCalled()
})
