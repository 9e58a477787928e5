import { CATEGORY_NAME_MAX_LENGTH, PERSON_NAME_MAX_LENGTH } from '#shared/limits.ts'
import { type User, signUp } from '#tests/e2e/fixtures/user.ts'

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
const LONG_NOTE =
  'Thank you for carrying this with us: the doctors will know more after Easter, and until then every day counts. '

export interface SampleUsers {
  /** Has no data. */
  newcomer: User
  /** Has hidden all categories. */
  allHidden: User
  typical: User
  /** Has 60 categories and 1,380 prayers. */
  many: User
  /** Has texts of the maximum length, with and without spaces. */
  longest: User
  /** Has one category. */
  single: User
  /** Has texts in Hebrew and Arabic, with Latin ones between them. */
  rightToLeft: User
}

/** Signs up the users and adds their data. */
export async function createSampleUsers(origin: string): Promise<SampleUsers> {
  const create = (name: string) => signUp({ server: origin, site: origin }, `${name}@example.org`, PASSWORD)
  const users = {
    newcomer: await create('newcomer'),
    allHidden: await create('hidden'),
    typical: await create('ruth.amsel'),
    many: await create('many'),
    longest: await create(`${'very.long.address.'.repeat(3)}of.someone`),
    single: await create('single'),
    rightToLeft: await create('right.to.left'),
  }
  await addHiddenCategories(users.allHidden)
  await addTypicalData(users.typical)
  await addManyPrayers(users.many)
  await addLongestTexts(users.longest)
  await users.single.addCategory(
    'Family',
    ...NAMES.slice(0, 5).map((name, index) => ({ name, note: NOTES[index] ?? '' })),
  )
  await addRightToLeftTexts(users.rightToLeft)
  return users
}

async function addHiddenCategories(user: User): Promise<void> {
  for (const name of ['Family', 'Work'])
    await user.hideCategory(await user.addCategory(name, { name: 'Anna' }))
}

async function addTypicalData(user: User): Promise<void> {
  await user.addCategory(
    'Family',
    { name: 'Gran', note: NOTES[0] ?? '' },
    { name: 'Anna', note: NOTES[1] ?? '' },
    { name: 'Benedict' },
    { name: 'Clara Fontaine', note: NOTES[2] ?? '', resolved: true },
  )
  await user.addUpdates(
    'Anna',
    'They spoke on the telephone, for the first time since March.',
    'He has invited her for Sunday.',
  )
  await user.addCategory('Friends', { name: 'Esther & Jakob', note: NOTES[2] ?? '' }, { name: 'Daniel' })
  await user.addCategory('Church', { name: 'Hannah Okafor', resolved: true })
  await user.hideCategory(await user.addCategory('Work', { name: 'Fiona' }))
  await user.addCategories('Neighbours')
}

async function addManyPrayers(user: User): Promise<void> {
  const names = Array.from({ length: 60 }, (_, index) => `Circle ${String(index + 1)}`)
  for (const [index, id] of (await user.addCategories(...names)).entries()) {
    const prayers = Array.from({ length: index === 0 ? 200 : 20 }, (_, number) => ({
      name: `${NAMES[number % NAMES.length] ?? ''} ${String(number + 1)}`,
      note: NOTES[number % 4] ?? '',
      resolved: number % 2 === 1,
    }))
    await user.addPrayers(id, ...prayers)
  }
}

async function addLongestTexts(user: User): Promise<void> {
  const unbroken = (length: number) => 'Wolfeschlegelsteinhausenbergerdorff'.repeat(10).slice(0, length)
  const words = (length: number) =>
    'The friends of the choir of Saint Bartholomew '.repeat(10).slice(0, length).trim()
  await user.addCategory(
    unbroken(CATEGORY_NAME_MAX_LENGTH),
    { name: unbroken(PERSON_NAME_MAX_LENGTH), note: LONG_NOTE.repeat(12) },
    { name: words(PERSON_NAME_MAX_LENGTH), note: LONG_NOTE, resolved: true },
  )
  await user.addCategory(words(CATEGORY_NAME_MAX_LENGTH), {
    name: words(PERSON_NAME_MAX_LENGTH),
    note: LONG_NOTE,
  })
  await user.addCategories(unbroken(CATEGORY_NAME_MAX_LENGTH))
}

async function addRightToLeftTexts(user: User): Promise<void> {
  await user.addCategory(
    'חברים (friends)',
    { name: 'שרה (Sarah)', note: 'רפואה שלמה ומהירה, ושינה טובה בלילה. '.repeat(8) },
    { name: 'Tom', note: 'A flat near the school.' },
    { name: 'דוד', resolved: true },
  )
  await user.addCategory('العائلة', {
    name: 'مريم',
    note: 'السلام قبل العملية يوم الخميس https://example.org/ward',
  })
}
