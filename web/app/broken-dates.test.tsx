import { act, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeServer, family, openSynced } from '#web/data/user-data.test-data.ts'
import { samplePrayer, sampleUpdate } from '#web/data/sample-rows.test-data.ts'
import { AnsweredScreen } from '#web/features/answered/answered-screen.tsx'
import { createPrayItems } from '#web/features/pray/pray-items.ts'
import { PrayerPage } from '#web/features/pray/session-pages.tsx'
import { Today } from '#web/features/pray/today.tsx'
import { PrayerScreen } from '#web/features/prayer-page/prayer-screen.tsx'
import { DashboardScreen } from '#web/features/prayers/dashboard-screen.tsx'
import { RejectedChangesSheet } from '#web/features/rejected-changes/rejected-changes-sheet.tsx'
import { SearchScreen } from '#web/features/search/search-screen.tsx'
import { OnThisDeviceSection } from '#web/features/settings/your-data/on-this-device-section.tsx'
import { exportAsText } from '#web/features/settings/your-data/export-text.ts'
import { sampleExport } from '#web/features/settings/your-data/sample-export.test-data.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'

describe.each(['infinity', '-infinity', '4000-01-01T00:00:00+00:00 BC', '294276-12-31', '2026-02-30', ''])(
  'a prayer with the date "%s" is shown like all others',
  (date) => {
    const broken = samplePrayer({
      id: 'broken',
      person_name: 'Ruth',
      note: 'For rest',
      created_at: date,
      due_on: date,
      resting_until: date,
      last_prayed_on: date,
      times_prayed: 3,
    })
    const answered = samplePrayer({
      ...broken,
      id: 'answered',
      person_name: 'Boaz',
      resolved: true,
      answered_on: date,
    })
    const sound = samplePrayer({ id: 'sound' })
    const server = new FakeServer()

    beforeEach(() => {
      for (const prayer of [broken, answered, sound, { ...sound, id: 'sound-2', resolved: true }])
        server.put('prayers', prayer)
      server.put('categories', { ...family, created_at: date, updated_at: date })
      for (const prayer_id of ['broken', 'answered'])
        server.put(
          'prayer_updates',
          sampleUpdate({ id: prayer_id, prayer_id, created_at: date, updated_at: date }),
        )
    })

    async function show(element: ReactElement) {
      const { data } = await openSynced(server)
      renderWithData(element, data)
      await act(async () => {})
    }
    const text = () => document.body.textContent

    it('on the dashboard', async () => {
      await show(<DashboardScreen />)
      await expect.poll(text).toContain('Ruth')
      expect(text()).toContain('Anna')
    })

    it.each(['broken', 'answered'])('on its page: %s', async (id) => {
      await show(<PrayerScreen id={id} />)
      await expect.poll(text).toContain('Surgery went well')
      expect(text()).toContain('Added')
    })

    it('when praying', async () => {
      const begin = vi.fn<(ids: readonly string[]) => void>()
      await show(
        <>
          <Today
            items={createPrayItems('me', localStorage)}
            prayers={[broken, sound]}
            categories={[family]}
            complete
            error={null}
            unfinished={null}
            onContinue={() => {}}
            onBegin={begin}
          />
          <PrayerPage prayer={broken} category="Family" outcome={undefined} />
        </>,
      )
      await press(/^Begin/)
      expect(begin).toHaveBeenCalledWith(expect.arrayContaining(['sound']))
      expect(text()).toContain('Surgery went well')
    })

    it('among the answered', async () => {
      await show(<AnsweredScreen />)
      await expect.poll(text).toContain('Boaz')
      expect(screen.getByRole('heading', { name: 'Earlier' })).toBeDefined()
    })

    it('by the search', async () => {
      await show(<SearchScreen />)
      enter('Search prayers', 'surgery')
      await expect.poll(text).toContain('Boaz')
    })

    it('in the settings, in an export, and among the changes that could not be saved', async () => {
      await show(<OnThisDeviceSection />)
      expect(text()).toContain('4 prayers')
      const file = sampleExport()
      const prayers = file.prayers.map((prayer) => ({
        ...prayer,
        created_at: date,
        due_on: date,
        answered_on: date,
        last_prayed_on: date,
        times_prayed: 2,
      }))
      expect(exportAsText({ ...file, exported_at: date, prayers }, { productName: 'Intercede' })).toContain(
        prayers[0]?.person_name,
      )
      const entry = {
        id: '1',
        title: 'You changed Ruth',
        text: '',
        detail: '',
        reason: '',
        form: null,
        tryAgain: null,
      }
      const entries = [{ ...entry, at: date, discard: async () => {} }]
      render(<RejectedChangesSheet entries={entries} onCorrect={() => {}} onClose={() => {}} />)
      expect(text()).toContain('You changed Ruth')
    })
  },
)
