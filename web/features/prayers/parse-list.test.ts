import { describe, expect, it } from 'vitest'
import { groupsIn, type ListLine, parseList } from './parse-list.ts'

/** The names and details of a list. */
const read = (text: string) =>
  parseList(text).flatMap((line) =>
    line.kind === 'prayer' ? [[line.prayer.person_name, line.prayer.note]] : [],
  )
const problems = (text: string) =>
  parseList(text).map((line) => (line.kind === 'problem' ? line.problem : null))

/** Bulletins, and how they are read: names with details, and headings. */
const BULLETINS = [
  [
    `PRAYER REQUESTS – Sunday, November 22

Health:
• Anna Miller – knee surgery on Thursday 11/26, 7:30 am
• Bob & Carol Jensen - his chemotherapy; they are tired
• Mrs. O'Neill: home from hospital, (555) 010-0134

Travel:
• The youth group — mission trip to Oaxaca
https://example.org/oaxaca
• Pastor Tim
__________
Questions? Call the office: (555) 010-0199`,
    [
      'PRAYER REQUESTS – Sunday, November 22:',
      'Health:',
      ['Anna Miller', 'knee surgery on Thursday 11/26, 7:30 am'],
      ['Bob & Carol Jensen', 'his chemotherapy; they are tired'],
      ["Mrs. O'Neill", 'home from hospital, (555) 010-0134'],
      'Travel:',
      ['The youth group', 'mission trip to Oaxaca\nhttps://example.org/oaxaca'],
      ['Pastor Tim', null],
      ['Questions? Call the office', '(555) 010-0199'],
    ],
  ],
  [
    `Familie Müller-Schönfeld          Umzug nach Köln          26.11.
Großmutter Käthe          Operation um 8:30
Núñez, José María          nuevo trabajo          (84) 555 01`,
    [
      ['Familie Müller-Schönfeld', 'Umzug nach Köln – 26.11.'],
      ['Großmutter Käthe', 'Operation um 8:30'],
      ['Núñez, José María', 'nuevo trabajo – (84) 555 01'],
    ],
  ],
  [
    `> Hi all, a few requests:
> 1) For the Miller family: the loss of their grandfather
> 2) Nov 23 – Dorothy (84) – hip replacement
>
> 3) “Thank you for your prayers!” — Ashley`,
    [
      'Hi all, a few requests:',
      ['The Miller family', 'the loss of their grandfather'],
      ['Dorothy (84)', 'Nov 23 – hip replacement'],
      ['Ashley', '“Thank you for your prayers!”'],
    ],
  ],
  [
    `GEMEINDEBRIEF – 29. November 2026
Fürbitten

– Oma Käthe (84) – nach der Hüft-OP wieder auf die Beine kommen
– Familie Yılmaz – Umzug nach Köln, neue Schule für Emre
– Pfr. i. R. Hans-Jürgen Groß – Pflegeheim „Haus Abendfrieden“, Zi. 12
– Unsere Konfis – Freizeit vom 4. bis 6. Dezember

Anliegen bitte bis Freitag an das Pfarrbüro: 0221 555 0134`,
    [
      'GEMEINDEBRIEF – 29. November 2026:',
      ['Fürbitten', null],
      ['Oma Käthe (84)', 'nach der Hüft-OP wieder auf die Beine kommen'],
      ['Familie Yılmaz', 'Umzug nach Köln, neue Schule für Emre'],
      ['Pfr. i. R. Hans-Jürgen Groß', 'Pflegeheim „Haus Abendfrieden“, Zi. 12'],
      ['Unsere Konfis', 'Freizeit vom 4. bis 6. Dezember'],
      ['Anliegen bitte bis Freitag an das Pfarrbüro', '0221 555 0134'],
    ],
  ],
  [
    `PRAYER LIST 11/29/2026

IN THE HOSPITAL
Walter Brown\tSt. Luke's, Room 412
Dolores García\tMercy General, ICU

AT HOME
Ruth Ann Peters\t114 Elm Street, Springfield\t555-0161
Sam & Edith Kowalski\t(cards welcome)

MISSIONARIES
The Okafors\tJos, Nigeria
Grace Lindqvist\tback from furlough Dec 8`,
    [
      'PRAYER LIST 11/29/2026:',
      'IN THE HOSPITAL:',
      ['Walter Brown', "St. Luke's, Room 412"],
      ['Dolores García', 'Mercy General, ICU'],
      'AT HOME:',
      ['Ruth Ann Peters', '114 Elm Street, Springfield – 555-0161'],
      ['Sam & Edith Kowalski', '(cards welcome)'],
      'MISSIONARIES:',
      ['The Okafors', 'Jos, Nigeria'],
      ['Grace Lindqvist', 'back from furlough Dec 8'],
    ],
  ],
  [
    `Hello prayer warriors,

Please continue to pray for:
1. Josh's job interview on Tuesday
2. Little Mia - ear infection, third one since summer
3. Traveling mercies for Pete and Linda
4. An unspoken request

Praises:
1. Tom's scan was clear!!
2. Baby Noah is here - 7 lbs 9 oz

Love in Christ, Barb`,
    [
      ['Hello prayer warriors,', null],
      'Please continue to pray for:',
      ["Josh's job interview on Tuesday", null],
      ['Little Mia', 'ear infection, third one since summer'],
      ['Traveling mercies for Pete and Linda', null],
      ['An unspoken request', null],
      'Praises:',
      ["Tom's scan was clear!!", null],
      ['Baby Noah is here', '7 lbs 9 oz'],
      ['Love in Christ, Barb', null],
    ],
  ],
  [
    `Wednesday Night Prayer Meeting – December 2
• Marcus: his custody hearing is 12/9 at 9:00
• Lena's mother (Kyiv) – no heat, no light
• our nation; its leaders
   • the school board election
• Mr. Abernathy — 98 years old on Saturday!
• Tanya H. (friend of Sue) - stage 2, surgery Monday
• Unspoken (3)
Next meeting: December 9, 7 pm, Room 2`,
    [
      ['Wednesday Night Prayer Meeting', 'December 2'],
      ['Marcus', 'his custody hearing is 12/9 at 9:00'],
      ["Lena's mother (Kyiv)", 'no heat, no light'],
      ['our nation', 'its leaders'],
      ['the school board election', null],
      ['Mr. Abernathy', '98 years old on Saturday!'],
      ['Tanya H. (friend of Sue)', 'stage 2, surgery Monday'],
      ['Unspoken (3)', null],
      ['Next meeting', 'December 9, 7 pm, Room 2'],
    ],
  ],
  [
    `*Ladies' Circle*
Mary S. 🙏 new hip
Jean – eye surgery 💙 Thurs
Betty: her grandson in Iraq
www.example.org/circle
+ Dot's neighbor, fire last week
Reply STOP to leave this group`,
    [
      ["Ladies' Circle*", null],
      ['Mary S. 🙏 new hip', null],
      ['Jean', 'eye surgery 💙 Thurs'],
      ['Betty', 'her grandson in Iraq\nwww.example.org/circle'],
      ["Dot's neighbor, fire last week", null],
      ['Reply STOP to leave this group', null],
    ],
  ],
  [
    `ST. MARK'S CHURCH
Intercessions, Advent Sunday

The sick: Joan Price, Derek Shaw, little Alfie
The departed: Margaret Ellis; Sidney Thomas
Those who mourn: the Ellis family
30 Nov – Arthur Bell – year's mind
Our link parish: St. Peter's, Masasi`,
    [
      "ST. MARK'S CHURCH:",
      ['Intercessions, Advent Sunday', null],
      ['The sick', 'Joan Price, Derek Shaw, little Alfie'],
      ['The departed', 'Margaret Ellis; Sidney Thomas'],
      ['Those who mourn', 'the Ellis family'],
      ['Arthur Bell', "30 Nov – year's mind"],
      ['Our link parish', "St. Peter's, Masasi"],
    ],
  ],
  [
    `PRIÈRES POUR LA SEMAINE
1/ Mme Lefèvre – chimiothérapie, 3e cycle
2/ Jean-Luc et Aïcha : leur mariage le 5 décembre
3/ Nos malades : Odile, Maurice
4/ Les chrétiens d’Orient
Contact : secretariat@example.org – 01 99 00 12 34`,
    [
      'PRIÈRES POUR LA SEMAINE:',
      ['Mme Lefèvre', 'chimiothérapie, 3e cycle'],
      ['Jean-Luc et Aïcha', 'leur mariage le 5 décembre'],
      ['Nos malades', 'Odile, Maurice'],
      ['Les chrétiens d’Orient', null],
      ['Contact', 'secretariat@example.org – 01 99 00 12 34'],
    ],
  ],
] as const

describe('a line', () => {
  it.each([
    ['Anna', 'Anna', null],
    ['  Anna  ', 'Anna', null],
    ['Anna: a new job', 'Anna', 'a new job'],
    ['Anna:a new job', 'Anna', 'a new job'],
    ['Anna :', 'Anna', null],
    ['Anna: Thursday: the operation', 'Anna', 'Thursday: the operation'],
    ['Anna: at 12:30 in the clinic', 'Anna', 'at 12:30 in the clinic'],
    ['The 10:30 service', 'The 10:30 service', null],
    ['The 10:30 service: new people', 'The 10:30 service', 'new people'],
    ['安娜：新工作', '安娜', '新工作'],
    ['Anna： a new job', 'Anna', 'a new job'],
    // Web addresses
    ['https://example.org/anna', 'https://example.org/anna', null],
    ['Anna: see https://example.org/a:b', 'Anna', 'see https://example.org/a:b'],
    ['Anna https://example.org:8443/a:b', 'Anna https://example.org:8443/a:b', null],
    ['https://example.org: their work', 'https://example.org', 'their work'],
    // Other separators
    ['Anna – a new job', 'Anna', 'a new job'],
    ['Anna - a new job - in May', 'Anna', 'a new job - in May'],
    ['Anna—a new job', 'Anna', 'a new job'],
    ['Anna; a new job; a flat', 'Anna', 'a new job; a flat'],
    ['Anna\ta new job\t555-0134', 'Anna', 'a new job – 555-0134'],
    ['Anna    - a new job', 'Anna', 'a new job'],
    ['Anna-Maria: a part-time job', 'Anna-Maria', 'a part-time job'],
    ['Ben – https://example.org/a - b', 'Ben', 'https://example.org/a - b'],
    // Who a request is for
    ['For the Miller family: a new home', 'The Miller family', 'a new home'],
    ['Please pray for Anna: a new job', 'Anna', 'a new job'],
    ['Pray for: all who travel', 'All who travel', null],
    ['“Pray for my mother: radiation” – Anna', 'Anna', '“Pray for my mother: radiation”'],
    ['"Buddy" Harris - his back', '"Buddy" Harris', 'his back'],
    // Dates
    ['11/23 – Anna', 'Anna', '11/23'],
    ['Sunday, 29 November: Ben – his baptism', 'Ben', 'Sunday, 29 November – his baptism'],
    ['June – her new flat', 'June', 'her new flat'],
    // Bullets and numbers
    ['- Anna: a new job', 'Anna', 'a new job'],
    ['-Anna', 'Anna', null],
    ['– Anna', 'Anna', null],
    ['* Anna', 'Anna', null],
    ['•\tAnna', 'Anna', null],
    ['- [ ] Anna', 'Anna', null],
    ['☐ Anna', 'Anna', null],
    ['1. Anna', 'Anna', null],
    ['1.Anna', 'Anna', null],
    ['12) Anna: a new job', 'Anna', 'a new job'],
    ['(3) Anna', 'Anna', null],
    ['3: Anna: a new job', 'Anna', 'a new job'],
    ['1、安娜', '安娜', null],
    ['• 1. Anna', 'Anna', null],
    // What only looks like one
    ['24/7 prayer', '24/7 prayer', null],
    ['3 John', '3 John', null],
    ['2.5 years without work', '2.5 years without work', null],
    ['-5 degrees', '-5 degrees', null],
    ['7:30 group', '7:30 group', null],
    ['1000. visitor', '1000. visitor', null],
  ])('“%s” is for “%s”, with the details %j', (line, name, details) => {
    expect(read(line)).toEqual([[name, details]])
  })
})

it.each(['\n', '\r\n', '\r', '\u2028'])('lines may end with %j', (end) => {
  expect(read(['Anna', 'Ben: work', ''].join(end))).toEqual([
    ['Anna', null],
    ['Ben', 'work'],
  ])
})

it('leaves out lines without words', () => {
  expect(parseList('\nAnna\n  \n-\n_____\nBen\n\n \n').map(({ text, number }) => [text, number])).toEqual([
    ['Anna', 2],
    ['Ben', 6],
  ])
})

it('adds a web address to the details of the prayer above', () => {
  expect(read('Anna\nhttps://example.org/a\nwww.example.org\n\nBen: work\n- https://example.org/b')).toEqual([
    ['Anna', 'https://example.org/a\nwww.example.org'],
    ['Ben', 'work\nhttps://example.org/b'],
  ])
})

describe('a line that ends with a colon', () => {
  const headings = (text: string) =>
    parseList(text).flatMap(({ kind, text: heading }) => (kind === 'heading' ? [heading] : []))

  it('is a heading if others follow, and otherwise a name', () => {
    expect(headings('Family:\nAnna\nChurch :\n安娜：\nBen\nClara:')).toEqual(['Family', 'Church', '安娜'])
    expect(read('Anna:\nBen:')).toEqual([
      ['Anna', null],
      ['Ben', null],
    ])
  })

  it('can be the category of the prayers below', () => {
    const text = `Anna\nFamily:\nBen\nChurch:\nClara\n${'x'.repeat(101)}:\nDan\nFamily:\nEva`
    const groups = (byHeading: boolean, without?: string) =>
      groupsIn(
        parseList(text).filter((line: ListLine) => line.text !== without),
        byHeading,
      ).map(({ heading, prayers }) => [heading?.text ?? null, prayers.map(({ person_name }) => person_name)])
    expect(groups(false)).toEqual([[null, ['Anna', 'Ben', 'Clara', 'Dan', 'Eva']]])
    expect(groups(true)).toEqual([
      [null, ['Anna']],
      ['Family', ['Ben', 'Eva']],
      ['Church', ['Clara', 'Dan']],
    ])
    expect(groups(true, 'Family')).toEqual([
      [null, ['Anna', 'Ben']],
      ['Church', ['Clara', 'Dan', 'Eva']],
    ])
  })
})

it.each([
  ['a date alone, unless others have one, too', 'Anna – 3 May\nBen – 7 June', ['Anna', 'Ben']],
  ['initials', 'Anna\nB. C.\nDan', ['Anna', 'B. C.', 'Dan']],
  ['everything in capitals', 'BENJAMIN\nCLARA – SURGERY', ['BENJAMIN', 'CLARA']],
  ['a date without a year', 'Anna: 12 March\nBen: exam', ['Anna', 'Ben']],
  [
    'capitals, unless another line has several words in capitals',
    'MARIA\nBen: exam\nClara: job',
    ['MARIA', 'Ben', 'Clara'],
  ],
  ['capitals where others have no details', 'BENJAMIN\nClara\nMARY ANN', ['BENJAMIN', 'Clara', 'MARY ANN']],
  ['an address below', 'RADIO MISSION\nhttps://example.org\nAnna', ['RADIO MISSION', 'Anna']],
  ['nothing below', 'Anna\nBENJAMIN', ['Anna', 'BENJAMIN']],
])('a name is no title with %s', (_, text, names) => {
  expect(read(text).map(([name]) => name)).toEqual(names)
})

it.each([
  ['Prayer list – Sunday 22 November', true],
  ['Sunday 22 November', true],
  ['Read more: https://example.org', true],
  ['Anna – 26 November', false],
  ['Prayer list – those who are ill', false],
])('takes %j for what is no person: %s', (text, isUnlikely) => {
  expect(parseList(text)).toMatchObject([{ isUnlikely }])
})

it('identifies lines by their text', () => {
  const keys = (text: string) => parseList(text).map(({ key }) => key)
  const [anna, ben, again] = keys('1. Anna\nBen\n2. Anna')
  expect(new Set([anna, ben, again]).size).toBe(3)
  expect(keys('Clara\nBen\nAnna\nAnna').slice(1)).toEqual([ben, anna, again])
})

describe('a bulletin', () => {
  it.each(BULLETINS)('%#', (text, expected) => {
    const lines = parseList(text).map((line) =>
      line.kind === 'prayer' ? [line.prayer.person_name, line.prayer.note] : `${line.text}:`,
    )
    expect(lines).toEqual(expected)
  })
})

it('says why a line cannot be added', () => {
  expect(problems(`${'x'.repeat(200)}: ${'y'.repeat(10_000)}`)).toEqual([null])
  const long = ['x'.repeat(201), `${'x'.repeat(201)}: work`, `Anna: ${'y'.repeat(10_001)}`, '- : work']
  expect(problems(long.join('\n'))).toEqual([
    'Too long for a name: it can have 200 characters. Details come after a colon.',
    'The name is too long: it can have 200 characters.',
    'The details are too long: they can have 10,000 characters.',
    'There is no name before the colon.',
  ])
  expect(read(long.join('\n'))).toEqual([])
})

it('reads lines of any length', () => {
  const lines = [
    '-'.repeat(100_000),
    `Anna${' '.repeat(100_000)}x`,
    'x'.repeat(1_000_000),
    `Anna: ${'y'.repeat(1_000_000)}`,
  ]
  expect(problems(lines.join('\n'))).toEqual([
    null,
    'Too long for a name: it can have 200 characters. Details come after a colon.',
    'The details are too long: they can have 10,000 characters.',
  ])
})

it('knows where each line is', () => {
  const text = 'Anna\n\n  - Ben: work\nhttps://example.org'
  expect(parseList(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    'Anna',
    '  - Ben: work\nhttps://example.org',
  ])
})
