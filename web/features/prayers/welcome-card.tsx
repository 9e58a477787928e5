import { Link } from 'wouter'
import { MANAGE_CATEGORIES } from '#web/lib/navigation/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { ButtonLink, TEXT_LINK } from '#web/ui/link.tsx'

interface WelcomeCardProps {
  productName: string
  /** The number of categories that exist but are hidden. */
  hiddenCount: number
  onAddSeveral: () => void
}

/** The first step for a user without visible categories. */
export function WelcomeCard({ productName, hiddenCount, onAddSeveral }: WelcomeCardProps) {
  return (
    <Card aria-labelledby="welcome" className="overflow-hidden text-center md:grid md:grid-cols-2">
      <div className="dawn-picture min-h-36 sm:min-h-52" />
      <div className="flex flex-col items-center gap-3 px-6 pt-7 pb-9 sm:px-10 md:items-start md:py-12 md:text-start">
        <h2 id="welcome" className="text-2xl tracking-tight sm:text-3xl">
          Welcome to {productName}
        </h2>
        <p className="text-ink-soft">
          Prayers are kept in categories of your own, such as Family, Friends or Church. Create one, and add
          the people you pray for.
        </p>
        <div className="mt-2 flex flex-wrap items-center justify-center gap-x-3 gap-y-1 md:justify-start">
          <Link href={MANAGE_CATEGORIES} asChild>
            <ButtonLink variant="primary">
              <PlusIcon />
              Create Your First Category
            </ButtonLink>
          </Link>
          {hiddenCount === 0 && (
            <Button variant="ghost" onClick={onAddSeveral}>
              Add several
            </Button>
          )}
        </div>
        {hiddenCount > 0 && <HiddenCategories count={hiddenCount} />}
      </div>
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
