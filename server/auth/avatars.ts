import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services.ts'
import { Uuid } from './request-body.ts'
import type { XProfile } from './x-profile.ts'

const READ = 'select media_type, content from intercede.pictures where identity_id = $1'
/** In seconds. A picture changed at X is fetched at the user's next sign-in. */
const BROWSER_CACHE_LIFETIME = 3600

/**
 * GET /:identity: the stored copy of a user's avatar. An `<img>` can't send a token; the id of the identity stands in
 * for one, because only the user knows it and it can't be guessed.
 */
export function registerAvatars(scope: FastifyInstance, { pool }: Services): void {
  scope.get<{ Params: { identity: string } }>('/:identity', async (request, reply) => {
    const avatar = await readAvatar(request.params.identity)
    if (avatar === undefined) throw new ApiError(404, 'not_found', 'Not found')
    return reply
      .header('cache-control', `private, max-age=${String(BROWSER_CACHE_LIFETIME)}`)
      .type(avatar.media_type)
      .send(avatar.content)
  })

  async function readAvatar(identity: string) {
    if (!v.is(Uuid, identity)) return undefined
    const { rows } = await pool.query<{ media_type: string; content: Buffer }>({
      name: 'auth:read-avatar',
      text: READ,
      values: [identity],
    })
    return rows[0]
  }
}

const FIND = `
  select i.id as identity, p.source
  from auth.identities i left join intercede.pictures p on p.identity_id = i.id
  where i.provider_id = $1 and i.provider in ('twitter', 'x') and i.user_id = $2`
const REMOVE = 'delete from intercede.pictures where identity_id = $1'
/** Stores nothing for an identity that was deleted in the meantime. */
const STORE = `
  insert into intercede.pictures (identity_id, source, media_type, content, fetched_at)
  select id, $2, $3, $4, $5 from auth.identities where id = $1
  on conflict (identity_id) do update set
    source = excluded.source, media_type = excluded.media_type, content = excluded.content,
    fetched_at = excluded.fetched_at`

interface SignedInProfile {
  accountId: string
  profile: XProfile
}

/**
 * Stores a copy of the avatar of a user who just signed in with X, unless it is already stored. Never rejects: a
 * missing avatar must not prevent anyone from signing in.
 */
export async function storeAvatar(services: Services, signedIn: SignedInProfile): Promise<void> {
  try {
    await updateStoredAvatar(services, signedIn)
  } catch (err) {
    services.logger.info({ err }, 'an avatar was not stored')
  }
}

async function updateStoredAvatar(
  { pool, config, clock }: Services,
  { accountId, profile }: SignedInProfile,
): Promise<void> {
  if (config.x === null) return
  const { rows } = await pool.query<{ identity: string; source: string | null }>({
    name: 'auth:find-avatar',
    text: FIND,
    values: [profile.id, accountId],
  })
  const [stored] = rows
  if (stored === undefined || stored.source === profile.avatarUrl) return
  if (profile.avatarUrl === null) {
    await pool.query({ name: 'auth:remove-avatar', text: REMOVE, values: [stored.identity] })
    return
  }
  const { mediaType, content } = await fetchAvatar(profile.avatarUrl, config.x.pictureOrigin)
  await pool.query({
    name: 'auth:store-avatar',
    text: STORE,
    values: [stored.identity, profile.avatarUrl, mediaType, content, clock.now()],
  })
}

/** For the whole transfer, in milliseconds. */
const FETCH_TIMEOUT = 3_000
/** In bytes. A profile picture has a few thousand. */
const MAX_SIZE = 512 * 1024

/** Recognised by their first bytes, whatever type is declared. No SVG: it is a document that can contain scripts. */
const IMAGE_TYPES: readonly { mediaType: string; signature: RegExp }[] = [
  { mediaType: 'image/png', signature: /^\x89PNG\r\n/ },
  { mediaType: 'image/jpeg', signature: /^\xFF\xD8\xFF/ },
  { mediaType: 'image/gif', signature: /^GIF8[79]a/ },
  { mediaType: 'image/webp', signature: /^RIFF[^]{4}WEBP/ },
]

/**
 * Fetches an image from the one allowed origin. Rejects when the URL is elsewhere or redirects, and when the image is
 * too large, too slow or not of a known type.
 */
async function fetchAvatar(url: string, origin: string): Promise<{ mediaType: string; content: Buffer }> {
  if (new URL(url).origin !== origin) throw new Error('the avatar is not at the allowed origin')
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'image/*' },
    signal: AbortSignal.timeout(FETCH_TIMEOUT),
  })
  if (!response.ok) throw new Error(`the avatar request failed with status ${String(response.status)}`)
  const content = await readBody(response)
  const mediaType = imageTypeOf(content)
  if (mediaType === null) throw new Error('the avatar is not an image of a known type')
  return { mediaType, content }
}

async function readBody({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  const stream: AsyncIterable<Uint8Array> | null = body
  for await (const chunk of stream ?? []) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > MAX_SIZE) throw new Error('the avatar is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function imageTypeOf(content: Buffer): string | null {
  const start = content.toString('latin1', 0, 16)
  return IMAGE_TYPES.find(({ signature }) => signature.test(start))?.mediaType ?? null
}
