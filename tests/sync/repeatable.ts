import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, KeyObject } from 'node:crypto'

const TAG_LENGTH = 16

/**
 * Has Web Crypto answer at once: that of Node.js uses threads, so that a history with encryption would not be the same when it is
 * repeated. Only for what the app uses; importing keys needs no thread. Returns what ends that: files of tests share a process.
 */
export function makeCryptoRepeatable(): () => void {
  const repeatable: Pick<SubtleCrypto, 'digest' | 'sign' | 'deriveBits' | 'encrypt' | 'decrypt'> = {
    digest: async (_algorithm, data) => copyOf(createHash('sha256').update(bytesOf(data)).digest()),
    sign: async (_algorithm, key, data) =>
      copyOf(createHmac('sha256', KeyObject.from(key)).update(bytesOf(data)).digest()),
    deriveBits: async (algorithm, key, length) => {
      if (typeof algorithm === 'string' || !('info' in algorithm)) throw new TypeError('Not HKDF.')
      const { salt, info } = algorithm
      return hkdfSync('sha256', KeyObject.from(key), bytesOf(salt), bytesOf(info), (length ?? 0) / 8)
    },
    encrypt: async (algorithm, key, data) => {
      const { iv, aad } = gcmOf(algorithm)
      const cipher = createCipheriv('aes-256-gcm', KeyObject.from(key), iv).setAAD(aad)
      return copyOf(Buffer.concat([cipher.update(bytesOf(data)), cipher.final(), cipher.getAuthTag()]))
    },
    decrypt: async (algorithm, key, data) => {
      const { iv, aad } = gcmOf(algorithm)
      const sealed = bytesOf(data)
      const decipher = createDecipheriv('aes-256-gcm', KeyObject.from(key), iv).setAAD(aad)
      decipher.setAuthTag(sealed.subarray(-TAG_LENGTH))
      return copyOf(Buffer.concat([decipher.update(sealed.subarray(0, -TAG_LENGTH)), decipher.final()]))
    },
  }
  for (const [name, value] of Object.entries(repeatable))
    Object.defineProperty(crypto.subtle, name, { value, configurable: true })
  // The real ones are the prototype's.
  return () => Object.keys(repeatable).forEach((name) => Reflect.deleteProperty(crypto.subtle, name))
}

function gcmOf(algorithm: AlgorithmIdentifier | RsaOaepParams | AesCtrParams | AesCbcParams | AesGcmParams) {
  if (typeof algorithm === 'string' || !('iv' in algorithm) || !('additionalData' in algorithm))
    throw new TypeError('Not AES-GCM.')
  return { iv: bytesOf(algorithm.iv), aad: bytesOf(algorithm.additionalData ?? new Uint8Array()) }
}

function bytesOf(data: BufferSource): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
}

function copyOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}
