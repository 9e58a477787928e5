import type { Ref, SubmitEvent } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { CONTROL } from '#web/ui/fields.tsx'
import { CloseIcon, SearchIcon } from '#web/ui/icons.tsx'

const MAX_LENGTH = 200

interface SearchFieldProps {
  ref: Ref<HTMLInputElement>
  query: string
  onChange: (query: string) => void
  /** Called on Enter. */
  onSubmit: () => void
  onClear: () => void
}

/** Stays in view while the results are scrolled. */
export function SearchField({ ref, query, onChange, onSubmit, onClear }: SearchFieldProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form
      role="search"
      className="top-header z-10 -mx-3 -my-2 bg-paper px-3 py-2 tall:sticky print:hidden"
      onSubmit={submit}
    >
      <div className="search-field">
        <SearchIcon className="text-ink-faint" />
        <input
          ref={ref}
          type="search"
          dir="auto"
          aria-label="Search prayers"
          placeholder="Name or words"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={MAX_LENGTH}
          value={query}
          className={CONTROL}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {query !== '' && (
          <IconButton label="Clear" onClick={onClear}>
            <CloseIcon />
          </IconButton>
        )}
      </div>
    </form>
  )
}
