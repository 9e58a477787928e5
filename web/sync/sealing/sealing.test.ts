import { readFileSync } from 'node:fs'
import { bytesToHex } from '@noble/hashes/utils.js'
import { expect, it } from 'vitest'
import { array, number, object, parse, picklist, record, string } from 'valibot'
import { copyId } from '../conflict-copies.ts'
import { groupsOf, makeKeyId, makePrayerKey, parsePrayerKey } from './prayer-key.ts'
import { claimsSealed, deriveKeys, keyIdOf, openText, proofOf, sealText } from './sealed-text.ts'

const PAGE = readFileSync(new URL('../../../docs/encryption.md', import.meta.url), 'utf8')
const vectorsSchema = object({
  typed: string(),
  prayerKey: string(),
  userId: string(),
  keyId: string(),
  idKey: string(),
  proofs: array(object({ state: string(), counter: number(), proof: string() })),
  id: string(),
  texts: array(object({ kind: picklist(['category', 'person', 'text']), text: string(), sealed: string() })),
  unreadable: record(string(), string()),
  plain: array(string()),
  copy: object({ text: string(), id: string() }),
})
const vectors = parse(vectorsSchema, JSON.parse(/```json\n([^]*?)\n```/.exec(PAGE)?.[1] ?? ''))
const { prayerKey, userId, keyId, id } = vectors
const place = { kind: 'text', id } as const
const ourKeys = () => deriveKeys(prayerKey, userId, keyId)

it('agrees with the test vectors of the documentation', async () => {
  expect(await parsePrayerKey(vectors.typed)).toBe(prayerKey)
  const keys = await ourKeys()
  expect(bytesToHex(keys.id)).toBe(vectors.idKey)
  for (const { state, counter, proof } of vectors.proofs)
    expect(await proofOf(keys, state, counter)).toBe(proof)
  for (const { kind, text, sealed } of vectors.texts) {
    expect(await sealText(keys, { kind, id }, text)).toBe(sealed)
    expect(await openText(keys, { kind, id }, sealed)).toBe(text)
  }
  expect(copyId(id, vectors.copy.text, keys.id)).toBe(vectors.copy.id)
})

it.each(Object.entries(vectors.unreadable))(
  'does not open the text of the documentation with: %s',
  async (_reason, text) => {
    expect(claimsSealed(text)).toBe(true)
    expect(await openText(await ourKeys(), place, text)).toBeNull()
  },
)

it.each(vectors.plain)('takes a text for plain, as the documentation does: %s', (text) => {
  expect(claimsSealed(text)).toBe(false)
})

it('reads a prayer key however it is typed, and recognises mistakes', async () => {
  const key = await makePrayerKey()
  expect(groupsOf(key)).toHaveLength(6)
  const typed = groupsOf(key).join(' - ').toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')
  expect(await parsePrayerKey(` ${typed} `)).toBe(key)
  expect(await parsePrayerKey(key.slice(1))).toBeNull()
  expect(await parsePrayerKey(`${key}0`)).toBeNull()
  expect(await parsePrayerKey('U'.repeat(24))).toBeNull()
  const otherCheck = key.endsWith('0') ? '1' : '0'
  expect(await parsePrayerKey(key.slice(0, 23) + otherCheck)).toBeNull()
})

it('opens a text only with its key, where it belongs, and as it was sealed', async () => {
  const keys = await ourKeys()
  const sealed = await sealText(keys, place, 'for Anna')
  expect(await openText(keys, { ...place, id: 'another' }, sealed)).toBeNull()
  expect(await openText(keys, { ...place, kind: 'person' }, sealed)).toBeNull()
  expect(await openText(await deriveKeys(prayerKey, 'another', keyId), place, sealed)).toBeNull()
  expect(await openText(await deriveKeys(prayerKey, userId, makeKeyId()), place, sealed)).toBeNull()
  expect(await openText(await deriveKeys(await makePrayerKey(), userId, keyId), place, sealed)).toBeNull()
  const [start, payload] = [sealed.slice(0, 22), sealed.slice(22)]
  const changed = (payload.startsWith('A') ? 'B' : 'A') + payload.slice(1)
  for (const wrong of [changed, payload.slice(4), `${payload}AAAA`, payload.slice(0, -1), '', `${payload}=`])
    expect(await openText(keys, place, start + wrong)).toBeNull()
})

it('seals the same text of a place alike, and texts of similar length to the same length', async () => {
  const keys = await ourKeys()
  expect(await sealText(keys, place, 'rain')).toBe(await sealText(keys, place, 'rain'))
  expect((await sealText(keys, place, 'rain')).length).toBe(
    (await sealText(keys, place, 'for Anna, who is ill')).length,
  )
  // The longest note: the columns allow as many characters.
  expect((await sealText(keys, place, '🙏'.repeat(10_000))).length).toBe(53_436)
})

it('keeps every character', async () => {
  const keys = await ourKeys()
  for (const text of ['\uFEFFmark', ' \n\t ', 'a\u0301', '\u0080\u0000'])
    expect(await openText(keys, place, await sealText(keys, place, text))).toBe(text)
})

it('tells what is sealed, or claims to be, from what was typed', async () => {
  const sealed = await sealText(await ourKeys(), place, 'rain')
  expect(keyIdOf(sealed)).toBe(keyId)
  for (const text of [`${sealed}.`, sealed.toLowerCase(), sealed.replace('enc1', 'enc2')])
    expect(keyIdOf(text)).toBeNull()
  for (const text of [sealed, sealed.slice(0, 22), sealed.replace('enc1', 'enc20')])
    expect(claimsSealed(text)).toBe(true)
  for (const text of ['', 'enc1. is no language', 'enc1.', sealed.slice(0, 21), ` ${sealed}`])
    expect(claimsSealed(text)).toBe(false)
})
