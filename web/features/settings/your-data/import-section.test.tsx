import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isRecord } from '#shared/is-record.ts'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { connectionLost, FakeServer, openData } from '#web/data/user-data.test-data.ts'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { press, renderWithData } from '#web/test-rendering.tsx'
import { ImportSection } from './import-section.tsx'
import { sampleExport } from './sample-export.test-data.ts'

const TO_ADD = {
  categories_added: 2,
  categories_known: 0,
  prayers_added: 2,
  prayers_known: 0,
  updates_added: 2,
  prayed_days_added: 2,
}
const ALL_KNOWN = {
  categories_added: 0,
  categories_known: 2,
  prayers_added: 0,
  prayers_known: 2,
  updates_added: 0,
  prayed_days_added: 0,
}
const LOST = () => connectionLost()
const CUT_BY_PROXY = () => new Response('<html>', { status: 502 })
const STOPPED = () => Response.json({ code: 'stopping', message: 'Restarting' }, { status: 503 })
const IN_PROGRESS = () =>
  Response.json({ code: 'import_in_progress', message: 'An import is already in progress' }, { status: 429 })
const REJECTED = () =>
  Response.json({ code: 'PT403', message: 'You can store 20,000 prayers at most' }, { status: 403 })

/** What the server has done. */
let calls: ('preview' | 'import')[]
let isStored: boolean
let respondToImport: () => Response | Promise<Response>
let respondToPreview: () => Response | Promise<Response>

const counts = () => Response.json(isStored ? ALL_KNOWN : TO_ADD)

beforeEach(() => {
  calls = []
  isStored = false
  respondToPreview = counts
  storeSession(sessionWith('token', 3600))
  vi.stubGlobal('fetch', async (_url: string, init: { body: string }) => {
    const body: unknown = JSON.parse(init.body)
    const isPreview = isRecord(body) && body['preview'] === true
    calls.push(isPreview ? 'preview' : 'import')
    return isPreview ? respondToPreview() : respondToImport()
  })
})

afterEach(() => {
  vi.useRealTimers()
})

function openFile(server = new FakeServer()): void {
  renderWithData(<ImportSection onSent={() => {}} />, openData(server))
  pickFile()
}

function pickFile(): void {
  const file = new File([JSON.stringify(sampleExport())], 'mine.json')
  fireEvent.change(screen.getByLabelText('Data file'), { target: { files: [file] } })
}

async function chooseFile(): Promise<void> {
  openFile()
  await screen.findByText('2 prayers, 2 updates and 2 categories will be added.')
}

async function importFile(): Promise<void> {
  await chooseFile()
  await press('Import')
}

/** Shown, and read to users of screen readers. */
const announced = () => screen.findAllByText('2 prayers, 2 updates and 2 categories added')

it('shows what is in a file before anything is imported, and that nothing of it is added twice', async () => {
  respondToImport = () => {
    isStored = true
    return Response.json(TO_ADD)
  }
  await chooseFile()
  expect(screen.getByText(/^mine\.json, exported on 1 March.* by anna@example\.org$/)).toBeDefined()
  expect(document.body.textContent).toContain('In this file: Family\u00a0(2), Work\u00a0(0)')
  expect(calls).toEqual(['preview'])
  await press('Import')
  await announced()
  expect(document.activeElement?.textContent).toBe('Choose a data file')
  pickFile()
  await screen.findByText('Everything in this file is here already.')
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull()
})

it('the texts of a file stay here until it is known whether the account is encrypted', async () => {
  expectConsoleError('Failed to import')
  const server = new FakeServer()
  server.intercept = () => connectionLost()
  openFile(server)
  await screen.findByText(/Nothing was changed/)
  expect(calls).toEqual([])
})

it.each([
  ['is lost', LOST],
  ['is a proxy’s', CUT_BY_PROXY],
  ['is that the server stops', STOPPED],
])('an import that was carried out counts as done when its response %s', async (_name, response) => {
  respondToImport = () => {
    isStored = true
    return response()
  }
  await importFile()
  await announced()
  expect(screen.queryByRole('alert')).toBeNull()
  screen.getByRole('button', { name: 'Choose a data file' })
  expect(calls).toEqual(['preview', 'import', 'preview'])
})

it('waits until an import whose response was lost is no longer in progress', async () => {
  respondToImport = () => {
    respondToPreview = IN_PROGRESS
    return connectionLost()
  }
  await chooseFile()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await press('Import')
  await expect.poll(() => calls).toEqual(['preview', 'import', 'preview'])
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  await expect.poll(() => calls).toHaveLength(4)
  isStored = true
  respondToPreview = counts
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  vi.useRealTimers()
  await announced()
})

it('an import that was not carried out has failed, and can be repeated', async () => {
  respondToImport = LOST
  await importFile()
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to import')
  expectConsoleError(/Failed to import/)
  respondToImport = () => {
    isStored = true
    return Response.json(TO_ADD)
  }
  await press('Import')
  await announced()
})

it('says what was added when a repeated import finds that the first one was carried out', async () => {
  respondToImport = () => {
    isStored = true
    respondToPreview = LOST
    respondToImport = counts
    return connectionLost()
  }
  await importFile()
  await screen.findByText('Failed to import')
  expectConsoleError(/Failed to import/)
  await press('Import')
  await announced()
})

it.each([
  ['the database', REJECTED, 'You can store 20,000 prayers at most'],
  ['the server, which is importing already', IN_PROGRESS, 'An import is already in progress'],
])('does not ask again after a rejection by %s', async (_name, response, message) => {
  respondToImport = response
  await importFile()
  await screen.findByText(message)
  expectConsoleError(/Failed to import/)
  expect(calls).toEqual(['preview', 'import'])
})
