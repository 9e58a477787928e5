import { useState } from 'react'
import { initial } from '#web/lib/user-profile.ts'

interface AvatarProps {
  name: string
  url: string | null
}

/** The person's picture, or their initial where there is none or it can't be had. */
export function Avatar({ name, url }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  const shape = 'size-9 shrink-0 rounded-full'
  if (url !== null && url !== broken) {
    return (
      <img
        src={url}
        alt=""
        width={36}
        height={36}
        referrerPolicy="no-referrer"
        onError={() => setBroken(url)}
        className={`${shape} border border-line object-cover`}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      className={`${shape} flex items-center justify-center border border-gold-line bg-gold-soft font-serif text-lg leading-none font-semibold text-gold`}
    >
      {initial(name)}
    </span>
  )
}
