import { CATEGORY_NAME_MAX_LENGTH, PERSON_NAME_MAX_LENGTH } from '#shared/limits.ts'
import { type Person, signUp } from '#tests/e2e/fixtures/person.ts'

const PASSWORD = 'a quiet hour'
const NAMES = [
  'Anna',
  'Benedict',
  'Clara Fontaine',
  'Daniel',
  'Esther & Jakob',
  'Fiona',
  'Gran',
  'Hannah Okafor',
]
const NOTES = [
  'Peace before the operation on Thursday.',
  'That she finds words for her father, and he for her.',
  'A flat near the school.',
]
const PROSE =
  'Thank you for carrying this with us: the doctors will know more after Easter, and until then every day counts. '

/** The people whose screens are shown, from somebody who has just arrived to somebody with very much to pray for. */
export interface Cast {
  newcomer: Person
  hider: Person
  typical: Person
  full: Person
  longest: Person
}

export async function inviteCast(origin: string): Promise<Cast> {
  const invite = (name: string) => signUp({ server: origin, site: origin }, `${name}@example.org`, PASSWORD)
  const cast = {
    newcomer: await invite('newcomer'),
    hider: await invite('hider'),
    typical: await invite('ruth.amsel'),
    full: await invite('full'),
    longest: await invite(`${'very.long.address.'.repeat(3)}of.somebody`),
  }
  await fillHider(cast.hider)
  await fillTypical(cast.typical)
  await fillFull(cast.full)
  await fillLongest(cast.longest)
  return cast
}

async function fillHider(person: Person): Promise<void> {
  for (const name of ['Family', 'Work']) await person.hides(await person.hasCategory(name, { name: 'Anna' }))
}

async function fillTypical(person: Person): Promise<void> {
  await person.hasCategory(
    'Family',
    { name: 'Gran', note: NOTES[0] ?? '' },
    { name: 'Anna', note: NOTES[1] ?? '' },
    { name: 'Benedict' },
    { name: 'Clara Fontaine', note: NOTES[2] ?? '', resolved: true },
  )
  await person.hasCategory('Friends', { name: 'Esther & Jakob', note: NOTES[2] ?? '' }, { name: 'Daniel' })
  await person.hasCategory('Church', { name: 'Hannah Okafor', resolved: true })
  await person.hides(await person.hasCategory('Work', { name: 'Fiona' }))
  await person.hasCategories('Neighbours')
}

async function fillFull(person: Person): Promise<void> {
  const names = Array.from({ length: 60 }, (_, index) => `Circle ${String(index + 1)}`)
  for (const [index, id] of (await person.hasCategories(...names)).entries()) {
    const prayers = Array.from({ length: index === 0 ? 200 : 20 }, (_, at) => ({
      name: `${NAMES[at % NAMES.length] ?? ''} ${String(at + 1)}`,
      note: NOTES[at % 4] ?? '',
      resolved: at % 2 === 1,
    }))
    await person.hasPrayers(id, ...prayers)
  }
}

async function fillLongest(person: Person): Promise<void> {
  const unbroken = (length: number) => 'Wolfeschlegelsteinhausenbergerdorff'.repeat(10).slice(0, length)
  const words = (length: number) =>
    'The friends of the choir of Saint Bartholomew '.repeat(10).slice(0, length).trim()
  await person.hasCategory(
    unbroken(CATEGORY_NAME_MAX_LENGTH),
    { name: unbroken(PERSON_NAME_MAX_LENGTH), note: PROSE.repeat(12) },
    { name: words(PERSON_NAME_MAX_LENGTH), note: PROSE, resolved: true },
  )
  await person.hasCategory(words(CATEGORY_NAME_MAX_LENGTH), {
    name: words(PERSON_NAME_MAX_LENGTH),
    note: PROSE,
  })
  await person.hasCategories(unbroken(CATEGORY_NAME_MAX_LENGTH))
}
