import { describe, expect, it } from 'vitest'
import { accountState, type KeyRow } from './account-state.ts'
import type { RememberedEncryption } from './remembered.ts'
import { makeKeyId, makePrayerKey } from './prayer-key.ts'
import { deriveKeys, type Keys, proofOf } from './sealed-text.ts'

const first = await deriveKeys(await makePrayerKey(), 'user', makeKeyId())
const second = await deriveKeys(await makePrayerKey(), 'user', makeKeyId())

const row = async (own: Keys, state: KeyRow['state'], counter: number): Promise<KeyRow> => ({
  key_id: own.keyId,
  state,
  counter,
  proof: await proofOf(own, state, counter),
})
const withoutProof = (from: KeyRow): KeyRow => ({ ...from, proof: null })

const encrypting = await row(first, 'encrypting', 1)
const on = await row(first, 'on', 2)
const decrypting = await row(first, 'decrypting', 3)
const off = await row(first, 'off', 4)
const replaced = await row(first, 'replaced', 4)
const abandoned = withoutProof(await row(first, 'abandoned', 3))
const secondEncrypting = await row(second, 'encrypting', 3)
const secondOn = await row(second, 'on', 5)
const givenUp = withoutProof(await row(second, 'abandoned', 9))
const abandonedEarly = { ...givenUp, counter: 3 }
const earlierGivenUp = { ...abandoned, counter: 6 }
const secondOff = await row(second, 'off', 7)

const seals = { key: `${first.keyId}.2`, counter: 2, proof: on.proof, seals: true }
const sealsWithSecond = { key: `${second.keyId}.5`, counter: 5, proof: secondOn.proof, seals: true }
const isPlain = { key: 'none.4', counter: 0, proof: null, seals: false }
const isAsked = { ...isPlain, asked: 'key-needed' as const }

type Case = [
  what: string,
  remembered: RememberedEncryption | null,
  rows: KeyRow[],
  keys: Keys[],
  state: Awaited<ReturnType<typeof accountState>>,
]
const both = [first, second]

describe('with a server that is honest and up to date', () => {
  it.each<Case>([
    ['never encrypted', null, [], [], 'off'],
    ['decrypted before this device was used', null, [off], [], 'off'],
    ['decrypted here, or elsewhere with consent', isPlain, [off], [first], 'off'],
    ['being encrypted', null, [encrypting], [first], 'on'],
    ['encrypted', seals, [on], [first], 'on'],
    ['encrypted again', isPlain, [secondOn, off], both, 'on'],
    ['getting another key', seals, [secondEncrypting, on], both, 'on'],
    ['encrypted with another key', seals, [secondOn, replaced], both, 'on'],
    ['being decrypted by this device', isPlain, [decrypting], [first], 'ending'],
    ['being decrypted before this device was used', null, [decrypting], [first], 'ending'],
    ['encrypted, new device', null, [on], [], 'key-needed'],
    ['encrypted, key deleted', seals, [on], [], 'key-needed'],
    ['encrypted elsewhere', isPlain, [on], [], 'key-needed'],
    ['encrypted elsewhere with another key', seals, [secondOn, replaced], [first], 'key-needed'],
    ['being decrypted, new device', null, [decrypting], [], 'key-needed'],
    ['being decrypted elsewhere', seals, [decrypting], [first], 'turned-off'],
    ['decrypted elsewhere', seals, [off], [first], 'turned-off'],
    ['decrypted elsewhere, key deleted', seals, [off], [], 'turned-off-key-needed'],
    ['decrypted elsewhere with another key', seals, [secondOff, replaced], both, 'turned-off'],
    [
      'decrypted elsewhere with another key, not here',
      seals,
      [secondOff, replaced],
      [first],
      'turned-off-key-needed',
    ],
    ['abandoned elsewhere', seals, [abandoned], [], 'unproven'],
    ['abandoned elsewhere, with the key here', seals, [abandoned], [first], 'unproven'],
    ['earlier key given up elsewhere', sealsWithSecond, [earlierGivenUp, secondOn], both, 'restored'],
    [
      'earlier key given up elsewhere, and the user has agreed',
      { ...sealsWithSecond, givenUp: [first.keyId] },
      [earlierGivenUp, secondOn],
      both,
      'on',
    ],
    [
      'earlier key given up elsewhere, which this device never had',
      sealsWithSecond,
      [earlierGivenUp, secondOn],
      [second],
      'restored',
    ],
    [
      'another key given up elsewhere, begun while this device was away',
      seals,
      [givenUp, on],
      [first],
      'restored',
    ],
    [
      'earlier key given up elsewhere, and the later one entered since',
      seals,
      [earlierGivenUp, secondOn],
      both,
      'on',
    ],
    ['decrypted elsewhere, with a key here but no memory', null, [off], [first], 'turned-off'],
  ])('%s', async (_what, remembered, rows, keys, state) => {
    expect(await stateWith(remembered, rows, keys)).toBe(state)
  })
})

describe('with a server that was restored, or lies', () => {
  it.each<Case>([
    ['has lost the key', seals, [], [first], 'restored'],
    ['has an earlier step of the key', seals, [encrypting], [first], 'restored'],
    ['has another key instead, which is here', seals, [secondOn], both, 'restored'],
    ['gives up the key, and has an earlier one instead', sealsWithSecond, [givenUp, on], both, 'restored'],
    ['has an earlier one that is being decrypted', sealsWithSecond, [givenUp, decrypting], both, 'restored'],
    ['does so to a device without the one', sealsWithSecond, [givenUp, on], [first], 'restored'],
    [
      'does so to a device without the other',
      sealsWithSecond,
      [givenUp, on],
      [second],
      'restored-key-needed',
    ],
    [
      'says at an earlier step that the key was given up',
      sealsWithSecond,
      [abandonedEarly],
      both,
      'unproven',
    ],
    ['has lost the key, which is not here either', seals, [], [], 'restored-key-needed'],
    ['has an earlier step of the key, which is not here', seals, [encrypting], [], 'restored-key-needed'],
    ['has another key instead, which is not here', seals, [secondOn], [first], 'restored-key-needed'],
    ['has lost the key, and the device its memory', null, [], [first], 'unproven'],
    ['says without proof that the key has ended', seals, [withoutProof(off)], [first], 'forged'],
    ['says so to a device without the key', seals, [withoutProof(off)], [], 'forged'],
    ['gives another proof for the end', seals, [{ ...off, proof: 'x' }], [first], 'forged'],
    ['gives it to a device without memory', null, [{ ...off, proof: 'x' }], [first], 'forged'],
    ['gives it to a device without the key', seals, [{ ...off, proof: 'x' }], [], 'turned-off-key-needed'],
    ['gives it for a key that came later', seals, [{ ...secondOff, proof: 'x' }, replaced], both, 'forged'],
    ['hides the key that came later', seals, [replaced], [first], 'forged'],
    ['gives an earlier proof for the end', seals, [{ ...off, proof: on.proof }], [first], 'forged'],
    ['gives an earlier proof for a higher counter', seals, [{ ...on, counter: 9 }], [first], 'forged'],
    [
      'replaces the key with an earlier proof',
      seals,
      [secondOn, { ...replaced, counter: 9 }],
      both,
      'forged',
    ],
    ['has no proof for the current key', null, [withoutProof(on)], [first], 'forged'],
    ['decrypts without proof', null, [withoutProof(decrypting)], [first], 'forged'],
    ['gives a proof by another key', null, [{ ...on, key_id: second.keyId }], both, 'forged'],
    ['has a new key without proof', seals, [withoutProof(secondOn), replaced], both, 'forged'],
  ])('%s', async (_what, remembered, rows, keys, state) => {
    expect(await stateWith(remembered, rows, keys)).toBe(state)
  })
})

it.each<Case>([
  ['encrypted', isAsked, [on], [], 'key-needed'],
  ['given up elsewhere', isAsked, [abandoned], [], 'unproven'],
  ['decrypted elsewhere', isAsked, [off], [], 'turned-off-key-needed'],
  ['being decrypted elsewhere, with the key by now', isAsked, [decrypting], [first], 'turned-off'],
])('on a device that has asked for the key: %s', async (_what, remembered, rows, keys, state) => {
  expect(await stateWith(remembered, rows, keys)).toBe(state)
})

it('asks a device that has not heard of a key that was given up before it loses what it shows, once', async () => {
  expect(await stateWith(null, [abandoned], [])).toBe('unproven')
  expect(await stateWith(null, [secondOff, abandoned], [])).toBe('unproven')
  expect(await stateWith(null, [abandoned], [], { hasRows: false })).toBe('off')
  expect(await stateWith({ ...isPlain, givenUp: [first.keyId] }, [abandoned], [])).toBe('off')
})

it('does not ask on a device that has agreed before it remembered to what', async () => {
  expect(await stateWith(isPlain, [abandoned], [])).toBe('off')
  expect(await stateWith(sealsWithSecond, [secondOn, abandoned], [second])).toBe('on')
})

it('asks also if the server was restored before the key was given up, and counts again', async () => {
  expect(await stateWith({ ...isPlain, givenUp: [] }, [abandoned], [])).toBe('unproven')
})

it.each<Case>([
  ['encrypted', seals, [on], [first], 'insecure'],
  ['encrypted, new device', null, [on], [], 'insecure'],
  ['decrypted elsewhere, key deleted', seals, [off], [], 'insecure'],
  ['restored to an earlier step, key deleted', seals, [encrypting], [], 'insecure'],
  ['encrypted, and the key asked for', isAsked, [on], [], 'insecure'],
  ['decrypted elsewhere since the key was asked for', isAsked, [off], [], 'unproven'],
  ['never encrypted', null, [], [], 'off'],
])('on a page without https: %s', async (_what, remembered, rows, keys, state) => {
  expect(await stateWith(remembered, rows, keys, { isSecure: false })).toBe(state)
})

function stateWith(
  remembered: Case[1],
  rows: KeyRow[],
  keys: Keys[],
  { isSecure = true, hasRows = true } = {},
) {
  return accountState(remembered, rows, new Map(keys.map((own) => [own.keyId, own])), { isSecure, hasRows })
}
