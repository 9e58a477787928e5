import type { AuthServices } from '../auth-services.ts'
import type { XProfile } from '../x/x-profile.ts'
import { fetchPicture } from './fetch-picture.ts'

const FIND = `
  select i.id as identity, p.source
  from auth.identities i left join intercede.pictures p on p.identity_id = i.id
  where i.provider_id = $1 and i.provider in ('twitter', 'x') and i.user_id = $2`
const FORGET = 'delete from intercede.pictures where identity_id = $1'
/** Nothing is kept for an identity that went meanwhile. */
const KEEP = `
  insert into intercede.pictures (identity_id, source, media_type, content, fetched_at)
  select id, $2, $3, $4, $5 from auth.identities where id = $1
  on conflict (identity_id) do update set
    source = excluded.source, media_type = excluded.media_type, content = excluded.content,
    fetched_at = excluded.fetched_at`

/**
 * Keeps a copy of the picture that X has of a person who just signed in, unless it is there already. Never rejects:
 * nobody is kept out because of a picture.
 */
export async function keepPicture(
  services: AuthServices,
  given: { accountId: string; profile: XProfile },
): Promise<void> {
  try {
    await keep(services, given)
  } catch (err) {
    services.logger.info({ err }, 'the picture of a person was not kept')
  }
}

async function keep(
  { pool, config, clock }: AuthServices,
  { accountId, profile }: { accountId: string; profile: XProfile },
): Promise<void> {
  if (config.x === null) return
  const { rows } = await pool.query<{ identity: string; source: string | null }>({
    name: 'auth:find-picture',
    text: FIND,
    values: [profile.id, accountId],
  })
  const [found] = rows
  if (found === undefined || found.source === profile.pictureUrl) return
  if (profile.pictureUrl === null) {
    await pool.query({ name: 'auth:forget-picture', text: FORGET, values: [found.identity] })
    return
  }
  const { mediaType, content } = await fetchPicture(profile.pictureUrl, { origin: config.x.pictureOrigin })
  await pool.query({
    name: 'auth:keep-picture',
    text: KEEP,
    values: [found.identity, profile.pictureUrl, mediaType, content, clock.now()],
  })
}
