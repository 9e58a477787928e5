import { Glyph, type IconProps } from './glyph.tsx'

export function AlertIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.5v5.5M12 16.3h.01" />
    </Glyph>
  )
}
