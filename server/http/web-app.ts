import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { nameManifest } from '#shared/page-names.ts'
import { fillPage, type PageConfig } from './page.ts'
import { prepareText, sendText } from './prepared-text.ts'
import { registerSecurityHeaders, type SecurityOptions } from './security-headers.ts'

export interface WebAppOptions extends SecurityOptions {
  /** Folder of the built app. */
  root: string
  page: PageConfig
}

const ONE_HOUR = 3600
/** Paths of a Supabase project's API, or of a standard, that this server does not have: no page is given for them. */
const FOREIGN_API = /^\/\.well-known\/|^\/(?:auth|rest|storage|realtime|functions|graphql)\/v\d+(?:\/|\?|$)/
const MANIFEST = 'manifest.webmanifest'
const HASHED_ASSET = /^\/assets\//

/**
 * Serves the built web app: hashed assets for good, other files for an hour, and the page for every other path,
 * because the app's routes live in the browser.
 */
export async function registerWebApp(scope: FastifyInstance, options: WebAppOptions): Promise<void> {
  const built = (file: string) => readFile(join(options.root, file), 'utf8')
  const page = await prepareText(
    fillPage(await built('index.html'), options.page),
    'text/html; charset=utf-8',
  )
  const manifest = await prepareText(
    nameManifest(await built(MANIFEST), options.page.productName),
    'application/manifest+json',
  )
  await registerSecurityHeaders(scope, options)
  await scope.register(fastifyStatic, {
    root: options.root,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['index.html', MANIFEST, '**/*.br', '**/*.gz'],
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(options.root, 'assets'))
      void reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : `public, max-age=${ONE_HOUR}`,
      )
    },
  })
  scope.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    if (isPage && !FOREIGN_API.test(request.url) && !HASHED_ASSET.test(request.url)) {
      return sendText(page, request, reply)
    }
    return reply.code(404).send({ code: 'not_found', message: 'Not found' })
  })
  scope.get('/', async (request, reply) => sendText(page, request, reply))
  scope.get(`/${MANIFEST}`, async (request, reply) => sendText(manifest, request, reply))
}
