import type { Client } from 'undici'

/** A request as it goes out. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** Which of the people of a measurement is asking: the floor, which checks nothing, believes it. */
export const CONNECTION_HEADER = 'x-connection'

/** Sends a request and resolves to the body of the answer. Rejects for any status but success. */
export function send(client: Client, request: WireRequest): Promise<string> {
  const { method, path, headers, body } = request
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    // Undici's lowest level: what the sender needs of the processor is taken from those it measures.
    client.dispatch(
      { method, path, headers, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk)
        },
        onResponseEnd() {
          const text = Buffer.concat(chunks).toString()
          if (status >= 200 && status < 300) resolve(text)
          else reject(new Error(`${method} ${path} was answered with ${String(status)}: ${text}`))
        },
        onResponseError(_controller, error) {
          reject(error)
        },
      },
    )
  })
}
