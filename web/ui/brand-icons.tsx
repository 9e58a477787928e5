import { classNames } from './class-names.ts'

interface BrandIconProps {
  className?: string
}

/** The product's logo, a sunrise behind a hill, in the colours of the current theme. */
export function ProductMark({ className }: BrandIconProps) {
  return (
    <svg
      viewBox="0 0 32 32"
      className={classNames('size-7 shrink-0', className)}
      aria-hidden="true"
      focusable="false"
    >
      <g className="fill-none stroke-gold-bright" strokeWidth="1.8" strokeLinecap="round">
        <path d="M16 4.5v3.5M6.6 8.4l2.4 2.4M25.4 8.4L23 10.8M3 17.5h3M26 17.5h3" />
      </g>
      <path className="fill-gold-bright" d="M9 20a7 7 0 0 1 14 0z" />
      <path
        className="fill-accent"
        d="M2 26.5C7 20 12.5 18.6 17 20.6c4.5 2 8.5 1.6 13-1.6v5.5a3 3 0 0 1-3 3H5a3 3 0 0 1-3-1z"
      />
    </svg>
  )
}

/** The logo of the social network X. */
export function XLogo({ className }: BrandIconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={classNames('size-4 shrink-0', className)}
      aria-hidden="true"
      focusable="false"
    >
      <path
        fill="currentColor"
        d="M14.1 10.3L22.3 1h-2l-7.1 8.1L7.5 1H1l8.6 12.2L1 23h2l7.5-8.6L16.5 23H23zm-2.7 3l-.9-1.2L3.6 2.5h3l5.6 7.9.9 1.2 7.2 10.1h-3z"
      />
    </svg>
  )
}
