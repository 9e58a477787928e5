import { partsOf } from '#web/lib/days/day-text.ts'
import type { Day } from '#web/lib/days/days.ts'

interface Verse {
  text: string
  reference: string
}

/** For each date of a month, from the King James Version, which is in the public domain. */
const VERSES: readonly Verse[] = [
  {
    text: 'This is the day which the LORD hath made; we will rejoice and be glad in it.',
    reference: 'Psalm 118:24',
  },
  { text: 'Pray without ceasing.', reference: '1 Thessalonians 5:17' },
  {
    text: 'The LORD is nigh unto all them that call upon him, to all that call upon him in truth.',
    reference: 'Psalm 145:18',
  },
  {
    text: 'Be careful for nothing; but in every thing by prayer and supplication with thanksgiving let your requests be made known unto God.',
    reference: 'Philippians 4:6',
  },
  {
    text: 'My voice shalt thou hear in the morning, O LORD; in the morning will I direct my prayer unto thee, and will look up.',
    reference: 'Psalm 5:3',
  },
  { text: 'Bear ye one another’s burdens, and so fulfil the law of Christ.', reference: 'Galatians 6:2' },
  {
    text: 'It is of the LORD’s mercies that we are not consumed, because his compassions fail not. They are new every morning: great is thy faithfulness.',
    reference: 'Lamentations 3:22–23',
  },
  {
    text: 'Cast thy burden upon the LORD, and he shall sustain thee: he shall never suffer the righteous to be moved.',
    reference: 'Psalm 55:22',
  },
  { text: 'Casting all your care upon him; for he careth for you.', reference: '1 Peter 5:7' },
  {
    text: 'Call unto me, and I will answer thee, and shew thee great and mighty things, which thou knowest not.',
    reference: 'Jeremiah 33:3',
  },
  { text: 'God is our refuge and strength, a very present help in trouble.', reference: 'Psalm 46:1' },
  {
    text: 'For where two or three are gathered together in my name, there am I in the midst of them.',
    reference: 'Matthew 18:20',
  },
  {
    text: 'Wait on the LORD: be of good courage, and he shall strengthen thine heart: wait, I say, on the LORD.',
    reference: 'Psalm 27:14',
  },
  { text: 'Rejoice with them that do rejoice, and weep with them that weep.', reference: 'Romans 12:15' },
  {
    text: 'Blessed be God, which hath not turned away my prayer, nor his mercy from me.',
    reference: 'Psalm 66:20',
  },
  {
    text: 'Thou wilt keep him in perfect peace, whose mind is stayed on thee: because he trusteth in thee.',
    reference: 'Isaiah 26:3',
  },
  { text: 'What time I am afraid, I will trust in thee.', reference: 'Psalm 56:3' },
  {
    text: 'The LORD is good, a strong hold in the day of trouble; and he knoweth them that trust in him.',
    reference: 'Nahum 1:7',
  },
  { text: 'I love the LORD, because he hath heard my voice and my supplications.', reference: 'Psalm 116:1' },
  {
    text: 'Come unto me, all ye that labour and are heavy laden, and I will give you rest.',
    reference: 'Matthew 11:28',
  },
  { text: 'My help cometh from the LORD, which made heaven and earth.', reference: 'Psalm 121:2' },
  { text: 'This is my commandment, That ye love one another, as I have loved you.', reference: 'John 15:12' },
  { text: 'I wait for the LORD, my soul doth wait, and in his word do I hope.', reference: 'Psalm 130:5' },
  {
    text: 'The LORD is good unto them that wait for him, to the soul that seeketh him.',
    reference: 'Lamentations 3:25',
  },
  {
    text: 'I sought the LORD, and he heard me, and delivered me from all my fears.',
    reference: 'Psalm 34:4',
  },
  { text: 'We love him, because he first loved us.', reference: '1 John 4:19' },
  {
    text: 'Commit thy way unto the LORD; trust also in him; and he shall bring it to pass.',
    reference: 'Psalm 37:5',
  },
  {
    text: 'Let us therefore come boldly unto the throne of grace, that we may obtain mercy, and find grace to help in time of need.',
    reference: 'Hebrews 4:16',
  },
  { text: 'He healeth the broken in heart, and bindeth up their wounds.', reference: 'Psalm 147:3' },
  {
    text: 'Therefore I will look unto the LORD; I will wait for the God of my salvation: my God will hear me.',
    reference: 'Micah 7:7',
  },
  {
    text: 'Let my prayer be set forth before thee as incense; and the lifting up of my hands as the evening sacrifice.',
    reference: 'Psalm 141:2',
  },
]

/** The verse of a day, the same all day. */
export function verseOf(day: Day): Verse | undefined {
  return VERSES[partsOf(day).date - 1]
}
