import { Glyph, type IconProps } from './glyph.tsx'

export function ArrowLeftIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M19 12H5.5M11.5 6l-6 6 6 6" />
    </Glyph>
  )
}

export function ChevronDownIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M6.5 9.5l5.5 5.5 5.5-5.5" />
    </Glyph>
  )
}

/** Folded slips on a ring: the categories. */
export function CategoriesIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 7.5A1.5 1.5 0 0 1 5.5 6h4l2 2.5h7A1.5 1.5 0 0 1 20 10v7a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17z" />
      <path d="M8 13h8" />
    </Glyph>
  )
}

export function SignOutIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M13.5 4.5H6.8A1.3 1.3 0 0 0 5.5 5.8v12.4a1.3 1.3 0 0 0 1.3 1.3h6.7M10.5 12h9M16 8.5l3.5 3.5-3.5 3.5" />
    </Glyph>
  )
}

/** A sheet of paper, folded at the corner: what is one's own. */
export function AccountDataIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M13.5 4H6v16h12V8.5zv4.5H18M9 13h6" />
    </Glyph>
  )
}
