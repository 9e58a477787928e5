type LastUpdatedProps = {
  date: Date
  /** BCP 47; the reader's own unless given. */
  locale?: string | undefined
}

/** The date as the reader writes dates, marked with its language, which need not be that of the page. */
export function LastUpdated({ date, locale }: LastUpdatedProps) {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  return (
    <p className="text-sm">
      Last updated:{' '}
      <time dateTime={calendarDay(date)} lang={format.resolvedOptions().locale}>
        {format.format(date)}
      </time>
    </p>
  )
}

/** The day where the reader is; `toISOString` would give the day in Greenwich. */
function calendarDay(date: Date): string {
  const month = String(date.getMonth() + 1).padStart(2, '0')
  const day = String(date.getDate()).padStart(2, '0')
  return `${String(date.getFullYear())}-${month}-${day}`
}
