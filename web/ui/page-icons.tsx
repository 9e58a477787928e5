// Icons of pages other than the dashboard, which is loaded without them.
import { lineIcon } from './line-icon.tsx'

/** Six dots, for a drag handle. */
export const GripIcon = lineIcon('M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01', {
  strokeWidth: 2.6,
})

export const CheckIcon = lineIcon('M5 12.8l4.4 4.4L19 7.2')

export const ArrowUpIcon = lineIcon('M12 19V5.5M6 11.5l6-6 6 6')

export const ArrowLeftIcon = lineIcon('M19 12H5.5M11.5 6l-6 6 6 6')

/** Two opposite arrows. */
export const ReorderIcon = lineIcon('M8 19V5M4.5 8.5L8 5l3.5 3.5M16 5v14M12.5 15.5L16 19l3.5-3.5')

/** Three connected dots. */
export const ShareIcon = lineIcon('M8.8 10.8l6.4-3.6M8.8 13.2l6.4 3.6', {
  children: (
    <>
      <circle cx="6.5" cy="12" r="2.5" />
      <circle cx="17.5" cy="6" r="2.5" />
      <circle cx="17.5" cy="18" r="2.5" />
    </>
  ),
})

export const UploadIcon = lineIcon(
  'M12 14.5V4M7.5 8.5L12 4l4.5 4.5M5 16.5v2A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5v-2',
)

/** Three dots, for what else can be done. */
export const MoreIcon = lineIcon('M5.5 12h.01M12 12h.01M18.5 12h.01', { strokeWidth: 2.6 })
