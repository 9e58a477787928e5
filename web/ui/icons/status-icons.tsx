import { Glyph, type IconProps } from './glyph.tsx'

export function InfoIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11v5.5M12 7.7h.01" />
    </Glyph>
  )
}

/** A small light: what is hoped for, and what was answered. */
export function LightIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 3.5v3M12 17.5v3M3.5 12h3M17.5 12h3M6 6l2 2M16 16l2 2M18 6l-2 2M8 16l-2 2" />
      <circle cx="12" cy="12" r="2.6" />
    </Glyph>
  )
}
