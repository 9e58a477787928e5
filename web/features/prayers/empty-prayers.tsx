interface EmptyPrayersProps {
  title: string
  text: string
}

/** What a card says when it has no row to show. */
export function EmptyPrayers({ title, text }: EmptyPrayersProps) {
  return (
    <div className="px-4 py-8 text-center transition-opacity duration-calm starting:opacity-0">
      <p className="font-serif text-lg text-ink-soft">{title}</p>
      <p className="mt-1 text-sm text-ink-faint">{text}</p>
    </div>
  )
}
