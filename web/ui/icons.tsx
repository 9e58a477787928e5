import { lineIcon } from './line-icon.tsx'

export const PlusIcon = lineIcon('M12 5v14M5 12h14')

export const PencilIcon = lineIcon(
  'M4 20l1-4.2L16.4 4.4a1.9 1.9 0 0 1 2.7 0l.5.5a1.9 1.9 0 0 1 0 2.7L8.2 19zM14.5 6.4l3.1 3.1',
)

export const TrashIcon = lineIcon(
  'M4.5 6.5h15M9.5 6.5v-2h5v2M6.5 6.5l.8 13h9.4l.8-13M10.2 10.5v5.5M13.8 10.5v5.5',
)

export const CloseIcon = lineIcon('M6.5 6.5l11 11M17.5 6.5l-11 11')

export const ArrowDownIcon = lineIcon('M12 5v13.5M6 12.5l6 6 6-6')

export const ChevronDownIcon = lineIcon('M6.5 9.5l5.5 5.5 5.5-5.5')

/** A list of names. */
export const PrayersIcon = lineIcon('M9.5 6.5H20M9.5 12H20M9.5 17.5H17M5 6.5h.01M5 12h.01M5 17.5h.01')

/** A folder. */
export const CategoriesIcon = lineIcon(
  'M4 7.5A1.5 1.5 0 0 1 5.5 6h4l2 2.5h7A1.5 1.5 0 0 1 20 10v7a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17z',
)

export const SignOutIcon = lineIcon(
  'M13.5 4.5H6.8A1.3 1.3 0 0 0 5.5 5.8v12.4a1.3 1.3 0 0 0 1.3 1.3h6.7M10.5 12h9M16 8.5l3.5 3.5-3.5 3.5',
)

/** Two sliders. */
export const SettingsIcon = lineIcon('M4 8h8.5M17.5 8H20M4 16h2.5M11.5 16H20', {
  children: (
    <>
      <circle cx="15" cy="8" r="2.5" />
      <circle cx="9" cy="16" r="2.5" />
    </>
  ),
})

export const KeyboardIcon = lineIcon('M3 7h18v10H3zM7 10h.01M12 10h.01M17 10h.01M8 14h8')

export const InfoIcon = lineIcon('M12 11v5.5M12 7.7h.01', { children: <circle cx="12" cy="12" r="8.5" /> })

/** The ribbon of a book, which marks the pages for today. */
export const RibbonIcon = lineIcon('M7.5 3.5h9v17L12 16l-4.5 4.5z')

/** A magnifying glass. */
export const SearchIcon = lineIcon('M15.5 15.5l4.5 4.5', { children: <circle cx="10.5" cy="10.5" r="6.5" /> })

export const DownloadIcon = lineIcon(
  'M12 4v10.5M7.5 10l4.5 4.5 4.5-4.5M5 16.5v2A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5v-2',
)
