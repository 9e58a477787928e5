import { Link } from 'wouter'
import { MANAGE_CATEGORIES } from '#web/lib/paths.ts'
import { Card } from '#web/ui/card.tsx'
import { LightIcon, PlusIcon } from '#web/ui/icons.tsx'
import { ButtonLink, TEXT_LINK } from '#web/ui/link.tsx'

interface WelcomeCardProps {
  productName: string
  /** The number of categories that exist but are hidden. */
  hiddenCount: number
}

/** The first step for a user without visible categories. */
export function WelcomeCard({ productName, hiddenCount }: WelcomeCardProps) {
  return (
    <Card
      aria-labelledby="welcome"
      className="mx-auto flex max-w-prose flex-col items-center gap-4 px-6 py-12 text-center sm:px-12"
    >
      <LightIcon className="size-10 text-gold-bright" />
      <h2 id="welcome" className="text-2xl tracking-tight">
        Welcome to {productName}
      </h2>
      <p className="text-ink-soft">
        Prayers are kept in categories of your own, such as Family, Friends or Church. Create one, and add the
        people you pray for.
      </p>
      <Link href={MANAGE_CATEGORIES} asChild>
        <ButtonLink variant="primary" className="mt-2">
          <PlusIcon />
          Create Your First Category
        </ButtonLink>
      </Link>
      {hiddenCount > 0 && <HiddenCategories count={hiddenCount} />}
    </Card>
  )
}

function HiddenCategories({ count }: { count: number }) {
  return (
    <p className="text-sm text-ink-soft">
      {count === 1 ? 'One category is hidden.' : `${count} categories are hidden.`} You can show{' '}
      {count === 1 ? 'it' : 'them'} again under{' '}
      <Link href={MANAGE_CATEGORIES} className={TEXT_LINK}>
        Manage Categories
      </Link>
      .
    </p>
  )
}
