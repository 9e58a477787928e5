import { ANSWER_MAX_LENGTH, CATEGORY_NAME_MAX_LENGTH, PERSON_NAME_MAX_LENGTH } from '#shared/limits.ts'
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
  typical: User
  /** Has 60 categories and 1,380 prayers. */
  many: User
  /** Has texts of the maximum length, with and without spaces. */
  longest: User
  /** Has answered prayers of several months and years, with their history. */
  thankful: User
  /** Has texts in Hebrew and Arabic, with Latin ones between them. */
  rightToLeft: User
  /** Has prayers with dates, pauses and updates. */
  planned: User
}

/** Signs up the users and adds their data. */
export async function createSampleUsers(origin: string): Promise<SampleUsers> {
  const create = (name: string) => signUp({ server: origin, site: origin }, `${name}@example.org`, PASSWORD)
  const users = {
    newcomer: await create('newcomer'),
    typical: await create('ruth.amsel'),
    many: await create('many'),
    longest: await create(`${'very.long.address.'.repeat(3)}of.someone`),
    thankful: await create('thankful'),
    rightToLeft: await create('right.to.left'),
    planned: await create('planned'),
  }
  await addTypicalData(users.typical)
  await addManyPrayers(users.many)
  await addLongestTexts(users.longest)
  await addAnswers(users.thankful)
  await addRightToLeftTexts(users.rightToLeft)
  await addPlannedPrayers(users.planned)
  return users
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
    {
      name: words(PERSON_NAME_MAX_LENGTH),
      note: LONG_NOTE,
      resolved: true,
      answer: LONG_NOTE.repeat(90).slice(0, ANSWER_MAX_LENGTH),
      updates: Array.from({ length: 5 }, () => ({
        body: LONG_NOTE.repeat(6),
        createdAt: '2025-03-02T09:00:00Z',
      })),
    },
    { name: unbroken(PERSON_NAME_MAX_LENGTH), note: unbroken(340), resolved: true, answer: unbroken(340) },
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
    {
      name: 'דוד',
      note: 'מקום עבודה חדש, קרוב לבית.',
      resolved: true,
      answer: 'הוא התחיל לעבוד ביום ראשון, חמש דקות מהבית. תודה לאל!',
    },
  )
  await user.addCategory('العائلة', {
    name: 'مريم',
    note: 'السلام قبل العملية يوم الخميس https://example.org/ward',
  })
}

async function addAnswers(user: User): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const at = (day: string) => `${day}T09:00:00Z`
  const days = (last: string, count: number) =>
    Array.from({ length: count }, (_, index) => addDays(last, -3 * index))
  const lastMonth = addDays(today, -34)
  const lastYear = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`
  await user.addCategory(
    'Family',
    {
      name: 'Gran',
      note: 'Peace before the operation on Thursday, and steady hands for Dr Mehta.',
      resolved: true,
      answeredOn: addDays(today, -2),
      answer:
        'She slept through the night before, and was home again by Sunday. “I was not afraid at all”, she said.',
      createdAt: at(addDays(today, -40)),
      prayedOn: days(addDays(today, -2), 12),
      updates: [
        { body: 'The operation went well. Two more days in hospital.', createdAt: at(addDays(today, -6)) },
        { body: 'The date is set: the 19th.', createdAt: at(addDays(today, -21)) },
      ],
    },
    {
      name: 'Benedict',
      note: 'His exams, and courage to ask for help.',
      resolved: true,
      answeredOn: lastMonth,
      createdAt: at(addDays(lastMonth, -160)),
      prayedOn: days(lastMonth, 9),
    },
    {
      name: 'Anna',
      note: 'That she finds words for her father, and he for her.',
      resolved: true,
      answeredOn: lastYear,
      answer: 'They talked for three hours on the way back from Leeds.',
      createdAt: at(addDays(lastYear, -400)),
      prayedOn: days(lastYear, 5),
    },
  )
  await user.addCategory(
    'Friends',
    {
      name: 'Esther & Jakob',
      resolved: true,
      answeredOn: addDays(today, -5),
      answer: 'A flat near the school!',
    },
    {
      name: 'Daniel',
      note: 'Work, after nine months without.',
      resolved: true,
      answeredOn: addDays(lastMonth, -4),
    },
    { name: 'Mr. Okafor', resolved: true },
  )
  const hidden = await user.addCategory('Work', {
    name: 'The new team',
    note: 'Patience with one another.',
    resolved: true,
    answeredOn: addDays(lastYear, -20),
    answer: 'We laughed together today for the first time.',
    createdAt: at(addDays(lastYear, -60)),
  })
  await user.hideCategory(hidden)
}

function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

/** Around today, in UTC. */
async function addPlannedPrayers(user: User): Promise<void> {
  const day = (days: number) => addDays(new Date().toISOString().slice(0, 10), days)
  const today = `${day(0)}T00:00:00Z`
  /** The bit of a weekday: Monday's is 1, Sunday's 64. */
  const weekday = (days: number) => 2 ** ((new Date(day(days)).getUTCDay() + 6) % 7)
  await user.addCategory(
    'Family',
    {
      name: 'Gran',
      note: NOTES[0] ?? '',
      dueOn: day(4),
      createdAt: `${day(-120)}T00:00:00Z`,
      prayedOn: Array.from({ length: 30 }, (_, index) => day(-1 - 3 * index)),
      updates: Array.from({ length: 50 }, (_, index) => ({
        body: index % 4 === 2 ? LONG_NOTE.repeat(3) : (NOTES[(index + 1) % 3] ?? ''),
        createdAt: `${day(-2 * index)}T00:00:00Z`,
      })),
    },
    { name: 'Anna', dueOn: day(0) },
    { name: 'Benedict', note: NOTES[1] ?? '', restingUntil: day(11) },
    {
      name: 'Clara Fontaine',
      note: NOTES[2] ?? '',
      createdAt: `${day(-200)}T00:00:00Z`,
      dueOn: day(6),
      prayDays: weekday(6),
      prayedOn: Array.from({ length: 16 }, (_, index) => day(-2 - 2 * index)),
      updates: [
        { body: 'They saw a flat on Monday.', createdAt: today },
        {
          body: 'A flat near the school, for a year.',
          createdAt: `${day(-50)}T00:00:00Z`,
          answeredOn: day(-60),
        },
        { body: LONG_NOTE, createdAt: `${day(-120)}T00:00:00Z` },
      ],
    },
    { name: 'Daniel', prayDays: weekday(0) + weekday(3) },
    { name: 'Fiona', dueOn: day(-1), resolved: true },
  )
  await user.addCategory(
    'שכנים',
    {
      name: 'שרה (Sarah)',
      note: 'רפואה שלמה ומהירה, ושינה טובה בלילה.',
      dueOn: day(-1),
      updates: [{ body: 'השבח לאל, היא בבית', createdAt: today }],
    },
    {
      name: 'Wolfeschlegelsteinhausenbergerdorff and the friends of Saint Bartholomew',
      note: LONG_NOTE,
      dueOn: day(400),
      restingUntil: day(390),
      updates: [{ body: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(9), createdAt: today }],
    },
  )
}
