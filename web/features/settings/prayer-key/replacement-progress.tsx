import { type RefObject, useId } from 'react'
import './replacement-progress.css'

interface ReplacementProgressProps {
  text: string
  textRef?: RefObject<HTMLParagraphElement | null>
  done: number
  total: number
}

/** How far texts have been replaced. */
export function ReplacementProgress({ text, textRef, done, total }: ReplacementProgressProps) {
  const id = useId()
  return (
    <div className="flex max-w-form flex-col gap-2">
      <p ref={textRef} id={id} tabIndex={-1}>
        {text}
      </p>
      <progress aria-labelledby={id} value={done} max={Math.max(total, 1)} className="replacement-progress" />
    </div>
  )
}
