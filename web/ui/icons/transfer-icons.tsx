import { Glyph, type IconProps } from './glyph.tsx'

/** Into a tray: take along. */
export function DownloadIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 4v10.5M7.5 10l4.5 4.5 4.5-4.5M5 16.5v2A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5v-2" />
    </Glyph>
  )
}

/** Out of a tray: bring in. */
export function UploadIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 14.5V4M7.5 8.5L12 4l4.5 4.5M5 16.5v2A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5v-2" />
    </Glyph>
  )
}
