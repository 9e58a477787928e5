import type { ComponentProps } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { GripIcon } from '#web/ui/icons.tsx'

interface DragHandleProps extends Omit<ComponentProps<typeof IconButton>, 'label' | 'children'> {
  dragging: boolean
}

/** Where a row is taken hold of, on wide screens. */
export function DragHandle({ dragging, ...rest }: DragHandleProps) {
  return (
    <IconButton
      {...rest}
      label="Drag to reorder"
      className={`touch-none max-md:hidden ${dragging ? 'cursor-grabbing' : 'cursor-grab'}`}
    >
      <GripIcon />
    </IconButton>
  )
}
