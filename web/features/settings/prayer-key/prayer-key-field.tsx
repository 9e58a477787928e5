import { typingError } from '#web/data/encryption.ts'
import { TextField } from '#web/ui/fields.tsx'
import type { FieldErrors, ReadField } from '#web/ui/use-form.ts'

export const NOT_A_KEY = 'This is not the prayer key of your account. Please check each character.'

export function PrayerKeyField({ error }: { error: string | null | undefined }) {
  return (
    <TextField
      label="Prayer key"
      name="key"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      error={error}
      hint="Six groups of four letters and digits"
    />
  )
}

/** Whether this can be a prayer key at all. */
export function checkTyping(read: ReadField): FieldErrors<'key'> {
  return { key: typingError(read('key')) }
}
