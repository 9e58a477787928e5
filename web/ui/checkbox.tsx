import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: string
}

/** Yes or no. The whole line can be pressed. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={classNames('flex min-h-11 items-center gap-3 text-base', className)}>
      <input {...rest} type="checkbox" className="size-5 shrink-0 cursor-[inherit] accent-accent" />
      {label}
    </label>
  )
}
