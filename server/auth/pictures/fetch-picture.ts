/** A picture as it is stored and served. */
export interface Picture {
  mediaType: string
  content: Buffer
}

export interface PictureSource {
  /** The only origin that is asked. */
  origin: string
  /** Milliseconds that the whole picture may take. */
  patience?: number
}

const PATIENCE = 3_000
/** In bytes. A profile picture has a few thousand. */
const MAX_SIZE = 512 * 1024

/** By how the content begins, whatever it calls itself. No SVG: it is a document that can carry scripts. */
const KINDS: readonly { mediaType: string; begins: RegExp }[] = [
  { mediaType: 'image/png', begins: /^\x89PNG\r\n/ },
  { mediaType: 'image/jpeg', begins: /^\xFF\xD8\xFF/ },
  { mediaType: 'image/gif', begins: /^GIF8[79]a/ },
  { mediaType: 'image/webp', begins: /^RIFF[^]{4}WEBP/ },
]

/**
 * Fetches a picture from the one origin that is known for it. Rejects when it is elsewhere, or leads elsewhere, is too
 * large, too slow or no picture of a known kind.
 */
export async function fetchPicture(address: string, source: PictureSource): Promise<Picture> {
  if (new URL(address).origin !== source.origin) throw new Error('the picture is at an unknown place')
  const answer = await fetch(address, {
    redirect: 'error',
    headers: { accept: 'image/*' },
    signal: AbortSignal.timeout(source.patience ?? PATIENCE),
  })
  if (!answer.ok) throw new Error(`the picture was answered with ${String(answer.status)}`)
  const content = await readWhole(answer)
  const mediaType = mediaTypeOf(content)
  if (mediaType === null) throw new Error('the picture is of an unknown kind')
  return { mediaType, content }
}

async function readWhole({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  const stream: AsyncIterable<Uint8Array> | null = body
  for await (const chunk of stream ?? []) {
    size += chunk.length
    // Leaving the loop ends the connection.
    if (size > MAX_SIZE) throw new Error('the picture is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function mediaTypeOf(content: Buffer): string | null {
  const beginning = content.toString('latin1', 0, 16)
  return KINDS.find(({ begins }) => begins.test(beginning))?.mediaType ?? null
}
