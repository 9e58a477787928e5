import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../errors/api-error.ts'
import type { Services } from '../../services.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
const READ = 'select media_type, content from intercede.pictures where identity_id = $1'
/** In seconds. A picture that was changed at X is seen after the next sign-in anyway. */
const KEPT_BY_BROWSER = 3600

/**
 * GET /:identity: the copy of a person's picture. An `<img>` can send no token; the id of the identity, which only the
 * person is told and nobody guesses, stands for one.
 */
export function registerPictures(scope: FastifyInstance, { pool }: Services): void {
  scope.get<{ Params: { identity: string } }>('/:identity', async (request, reply) => {
    const picture = await read(request.params.identity)
    if (picture === undefined) throw new ApiError(404, 'not_found', 'Not found')
    return reply
      .header('cache-control', `private, max-age=${String(KEPT_BY_BROWSER)}`)
      .type(picture.media_type)
      .send(picture.content)
  })

  async function read(identity: string) {
    if (!UUID.test(identity)) return undefined
    const { rows } = await pool.query<{ media_type: string; content: Buffer }>({
      name: 'auth:read-picture',
      text: READ,
      values: [identity],
    })
    return rows[0]
  }
}
