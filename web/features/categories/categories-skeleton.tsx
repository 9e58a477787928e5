import { Skeleton } from '#web/ui/loading.tsx'

/** The shape of what is on its way. What comes at once is never announced as waited for. */
export function CategoriesSkeleton() {
  return (
    <div className="opacity-100 transition-opacity delay-150 starting:opacity-0">
      <p role="status" className="px-2 py-2 text-ink-soft">
        Loading categories...
      </p>
      <ul aria-hidden="true" className="divide-y divide-line">
        {['w-32', 'w-44', 'w-24'].map((width) => (
          <li key={width} className="flex items-center gap-3 px-2 py-4">
            <Skeleton className={`h-5 ${width}`} />
            <Skeleton className="h-5 w-16 rounded-full" />
          </li>
        ))}
      </ul>
    </div>
  )
}
