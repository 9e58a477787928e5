import type { SampleUsers } from './sample-users.ts'
import type { Scene, SceneContext } from './scene.ts'

/** The states of the search. */
export function searchScenes({
  newcomer,
  typical,
  many,
  longest,
  rightToLeft,
}: SampleUsers): readonly Scene[] {
  return [
    { name: 'search', user: typical, run: open },
    { name: 'search-without-prayers', user: newcomer, run: openEmpty },
    { name: 'search-typical', user: typical, run: find('f') },
    { name: 'search-none', user: typical, run: findNothing },
    { name: 'search-many', user: many, run: find('a') },
    { name: 'search-longest', user: longest, run: find('wolf doc') },
    { name: 'search-right-to-left', user: rightToLeft, run: openRightToLeft },
  ]
}

async function open({ search }: SceneContext): Promise<void> {
  await search.goto()
  await search.page.getByText('Find a prayer').waitFor()
}

async function openEmpty({ search }: SceneContext): Promise<void> {
  await search.goto()
  await search.page.getByText('No prayers yet').waitFor()
}

function find(query: string): Scene['run'] {
  return async ({ search }) => {
    await search.goto()
    await search.field.fill(query)
    await search.matches.first().waitFor()
  }
}

async function findNothing({ search }: SceneContext): Promise<void> {
  await search.goto()
  await search.field.fill('Nebuchadnezzar of Babylon')
  await search.page.getByText('No prayers found').first().waitFor()
}

async function openRightToLeft(context: SceneContext): Promise<void> {
  await find('ا')(context)
}
