import { Card } from '#web/ui/card.tsx'

const TIPS = [
  {
    what: 'Add',
    how: 'a category for every circle of people you pray for, such as Family, Friends or Church.',
  },
  { what: 'Reorder', how: 'them so that those you pray for most come first on your dashboard.' },
  { what: 'Hide', how: 'a category to rest it: its prayers are kept, but not shown on the dashboard.' },
  { what: 'Edit', how: 'a name whenever it no longer fits.' },
  {
    what: 'Delete',
    how: 'what you no longer need. Categories with prayers cannot be deleted: move or delete the prayers first.',
  },
]

/** What can be done here, in a few words. */
export function TipsCard() {
  return (
    <Card aria-labelledby="tips" className="px-5 py-5 sm:px-6">
      <h2 id="tips" className="text-xl">
        Tips for Managing Categories
      </h2>
      <ul className="mt-3 flex flex-col gap-2 text-sm text-ink-soft">
        {TIPS.map(({ what, how }) => (
          <li key={what}>
            <strong className="font-semibold text-ink">{what}</strong> {how}
          </li>
        ))}
      </ul>
    </Card>
  )
}
