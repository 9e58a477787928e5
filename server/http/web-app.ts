import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml, nameManifest, namePage, type PageConfig } from '#shared/page.ts'
import { SERVER_PATHS } from '#shared/server-paths.ts'
import { addPageSecurityHeaders } from './security-headers.ts'

export interface WebAppOptions {
  /** Folder of the built app. */
  root: string
  page: PageConfig
  /** True when users reach the site over TLS. */
  https: boolean
}

const ONE_HOUR = 3600
const MANIFEST = 'manifest.webmanifest'
const HASHED_ASSET = /^\/assets\//

/**
 * Serves the built web app: hashed assets, which browsers cache for ever; other files, cached for an hour; the service
 * worker, checked by browsers each time; and the page for every path that is not a file's, because routing happens in the
 * browser.
 */
export async function registerWebApp(scope: FastifyInstance, options: WebAppOptions): Promise<void> {
  const readBuilt = (file: string) => readFile(join(options.root, file), 'utf8')
  const page = await compress(
    fillPage(await readBuilt('index.html'), options.page),
    'text/html; charset=utf-8',
  )
  const manifest = await compress(
    nameManifest(await readBuilt(MANIFEST), options.page.productName),
    'application/manifest+json',
  )
  await addPageSecurityHeaders(scope, options.https)
  await registerStaticFiles(scope, options.root)
  scope.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    if (isPage && !isServerPath(request.url) && !isFilePath(request.url)) {
      return sendCompressed(page, request, reply)
    }
    return reply.code(404).send({ code: 'not_found', message: 'Not found' })
  })
  scope.get('/', async (request, reply) => sendCompressed(page, request, reply))
  scope.get(`/${MANIFEST}`, async (request, reply) => sendCompressed(manifest, request, reply))
}

async function registerStaticFiles(scope: FastifyInstance, root: string): Promise<void> {
  await scope.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['index.html', MANIFEST, '**/*.br', '**/*.gz'],
    setHeaders: (reply, path) => {
      void reply.header('cache-control', cacheControl(relative(root, path)))
    },
  })
}

/** Whether a path is of an API, in whatever version: what the server does not handle there is no page. */
function isServerPath(url: string): boolean {
  const [path = ''] = url.replace(/^(\/\w+)\/v\d+/, '$1/v1').split('?', 1)
  return SERVER_PATHS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

/** Whether a path can only be a file's: its last part has a dot, which the path of a screen never has. */
function isFilePath(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  return HASHED_ASSET.test(path) || path.slice(path.lastIndexOf('/')).includes('.')
}

/** @param file path of a built file, or of a compressed version of it, relative to the folder of the app */
function cacheControl(file: string): string {
  if (file.startsWith('assets')) return 'public, max-age=31536000, immutable'
  return file.startsWith('sw.js') ? 'no-cache' : `public, max-age=${ONE_HOUR}`
}

/** Puts the configuration and the product's name into the built index.html. */
function fillPage(template: string, config: PageConfig): string {
  const meta = `<meta name="intercede-config" content="${escapeHtml(JSON.stringify(config))}">`
  return namePage(template, config).replace('</head>', () => `${meta}</head>`)
}

type Encoding = 'br' | 'gzip' | 'identity'

/** A file made at start, since it depends on the configuration, in every encoding. */
interface CompressedFile {
  contentType: string
  etag: string
  bodies: Readonly<Record<Encoding, Buffer>>
}

async function compress(text: string, contentType: string): Promise<CompressedFile> {
  const identity = Buffer.from(text)
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)])
  const etag = `"${createHash('sha256').update(identity).digest('base64url')}"`
  return { contentType, etag, bodies: { identity, br, gzip: gz } }
}

/** Responds with the file, or 304 if the browser has it. Browsers check each time, so they get a new release at once. */
function sendCompressed(file: CompressedFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = request.headers['accept-encoding']?.toLowerCase() ?? ''
  const encoding = negotiate(accepted, ['br', 'gzip', 'identity']) ?? 'identity'
  void reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', file.etag)
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.type(file.contentType).send(file.bodies[encoding])
}
