import type { Ref } from 'react'
import './name-heading.css'

/** Names with more characters are set in smaller letters. */
const LONG_NAME = 40

interface NameHeadingProps {
  name: string
  ref?: Ref<HTMLHeadingElement>
}

/** The name of a person, as the heading of a screen. */
export function NameHeading({ name, ref }: NameHeadingProps) {
  return (
    <h1 ref={ref} tabIndex={-1} data-long={name.length > LONG_NAME || undefined} className="name-heading">
      <bdi>{name}</bdi>
    </h1>
  )
}
