/** The parsed content of a valid export. */
export function sampleExport() {
  return {
    format: 'intercede-export',
    version: 2,
    exported_at: '2026-03-01T09:00:00.123456+00:00',
    account: {
      id: '00000000-0000-4000-8000-00000000000a',
      email: 'anna@example.org',
      phone: null,
      created_at: '2026-01-01T08:30:00+00:00',
      app_metadata: { provider: 'email', providers: ['email', 'twitter'] },
      user_metadata: {},
      identities: [
        { provider: 'email', provider_id: 'anna', identity_data: { email_verified: true } },
        { provider: 'twitter', provider_id: '77', identity_data: { full_name: 'Anna A.' } },
      ],
      sessions: [{ created_at: '2026-02-28T20:00:00+00:00', ip: '203.0.113.9', signed_in_by: ['password'] }],
    },
    categories: [
      {
        id: '00000000-0000-4000-8000-0000000000a1',
        name: 'Family',
        order: 1,
        is_visible: true,
        created_at: '2026-01-02T00:00:00+00:00',
        updated_at: '2026-01-02T00:00:00+00:00',
      },
      {
        id: '00000000-0000-4000-8000-0000000000a2',
        name: 'Work',
        order: 2,
        is_visible: false,
        created_at: '2026-01-03T00:00:00+00:00',
        updated_at: '2026-01-03T00:00:00+00:00',
      },
    ],
    prayers: [
      {
        id: '00000000-0000-4000-8000-0000000000b1',
        category_id: '00000000-0000-4000-8000-0000000000a1',
        person_name: 'Ruth',
        note: 'Peace before Thursday.\n\nAnd after it.',
        resolved: false,
        created_at: '2026-02-03T04:05:06.789012+00:00',
        due_on: '2026-03-05',
        pray_days: 9,
        resting_until: '2026-02-20',
        answered_on: null,
        answer: null,
        updates: [
          {
            id: '00000000-0000-4000-8000-0000000000c2',
            body: 'It went well.\nThanks be to God.',
            created_at: '2026-02-12T18:00:00+00:00',
            updated_at: '2026-02-13T18:00:00+00:00',
          },
          {
            id: '00000000-0000-4000-8000-0000000000c1',
            body: 'The date is set.',
            created_at: '2026-02-10T18:00:00+00:00',
            updated_at: '2026-02-10T18:00:00+00:00',
          },
        ],
        prayed_days: ['2026-02-04', '2026-02-05'],
      },
      {
        id: '00000000-0000-4000-8000-0000000000b2',
        category_id: '00000000-0000-4000-8000-0000000000a1',
        person_name: 'Boaz',
        note: null,
        resolved: true,
        created_at: '2026-02-01T00:00:00+00:00',
        due_on: null,
        pray_days: null,
        resting_until: null,
        answered_on: '2026-02-27',
        answer: 'The field was redeemed.',
        updates: [],
        prayed_days: [],
      },
    ],
  }
}
