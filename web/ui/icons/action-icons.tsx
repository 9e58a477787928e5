import { Glyph, type IconProps } from './glyph.tsx'

export function PlusIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 5v14M5 12h14" />
    </Glyph>
  )
}

export function PencilIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 20l1-4.2L16.4 4.4a1.9 1.9 0 0 1 2.7 0l.5.5a1.9 1.9 0 0 1 0 2.7L8.2 19zM14.5 6.4l3.1 3.1" />
    </Glyph>
  )
}

export function TrashIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4.5 6.5h15M9.5 6.5v-2h5v2M6.5 6.5l.8 13h9.4l.8-13M10.2 10.5v5.5M13.8 10.5v5.5" />
    </Glyph>
  )
}

export function CheckIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M5 12.8l4.4 4.4L19 7.2" />
    </Glyph>
  )
}

export function CloseIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M6.5 6.5l11 11M17.5 6.5l-11 11" />
    </Glyph>
  )
}

/** Six dots: take hold and drag. */
export function GripIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path strokeWidth={2.6} d="M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01" />
    </Glyph>
  )
}

export function ArrowUpIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 19V5.5M6 11.5l6-6 6 6" />
    </Glyph>
  )
}

export function ArrowDownIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 5v13.5M6 12.5l6 6 6-6" />
    </Glyph>
  )
}

/** Two opposite arrows: change the order. */
export function ReorderIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M8 19V5M4.5 8.5L8 5l3.5 3.5M16 5v14M12.5 15.5L16 19l3.5-3.5" />
    </Glyph>
  )
}
