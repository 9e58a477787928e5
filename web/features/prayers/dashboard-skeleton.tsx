import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/loading.tsx'

const CARDS = [
  { key: 'first', rows: ['w-2/5', 'w-3/5', 'w-1/3'] },
  { key: 'second', rows: ['w-1/2', 'w-2/5'] },
]

/** The outline of the cards while the prayers are loading. It fades in late, so that fast responses do not flicker. */
export function DashboardSkeleton() {
  return (
    <div className="opacity-100 transition-opacity delay-150 starting:opacity-0">
      <p role="status" className="mb-4 text-ink-soft">
        Loading prayers...
      </p>
      <div className="grid items-start gap-5 md:grid-cols-2" aria-hidden="true">
        {CARDS.map((card) => (
          <Card key={card.key} className="flex flex-col gap-5 p-5">
            <Skeleton className="h-7 w-32" />
            {card.rows.map((width) => (
              <div key={width} className="flex items-center gap-3">
                <Skeleton className="size-6 rounded-full" />
                <Skeleton className={`h-5 ${width}`} />
              </div>
            ))}
          </Card>
        ))}
      </div>
    </div>
  )
}
