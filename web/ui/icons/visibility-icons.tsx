import { Glyph, type IconProps } from './glyph.tsx'

export function EyeIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.8" />
    </Glyph>
  )
}

export function EyeOffIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M6.3 7.2C3.8 9 2.5 12 2.5 12S6 18.5 12 18.5c1.9 0 3.5-.6 4.9-1.4M9.5 5.9c.8-.3 1.6-.4 2.5-.4 6 0 9.5 6.5 9.5 6.5s-.8 1.5-2.3 3.1" />
      <path d="M9.9 10.2a2.8 2.8 0 0 0 3.9 3.9M4 4l16 16" />
    </Glyph>
  )
}
