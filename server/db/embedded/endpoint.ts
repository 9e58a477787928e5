import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../free-port.ts'
import { makePrivateFolder } from '../folders.ts'

/**
 * Where PostgreSQL listens: a unix socket in a folder that only the server's user may enter, or, on Windows, a port of
 * the loopback address, with a password.
 */
export type Endpoint =
  | { kind: 'socket'; folder: string; temporary: boolean }
  | { kind: 'loopback'; port: number; password: string; passwordFile: string }

const SOCKET_PORT = 5432
/** Bytes in a socket's path that every system accepts (`sun_path` of macOS, without the final null byte). */
const SOCKET_PATH_LIMIT = 103
const PASSWORD_BYTES = 32

/** A socket in the data folder, or in a temporary folder if its path would be too long. */
export async function makeSocket(dataDir: string): Promise<Endpoint> {
  const usual = socketFolderIn(dataDir)
  if (fits(usual)) {
    await makePrivateFolder(usual)
    await chmod(usual, 0o700)
    return { kind: 'socket', folder: usual, temporary: false }
  }
  const parent = fits(join(tmpdir(), 'intercede-123456')) ? tmpdir() : '/tmp'
  return { kind: 'socket', folder: await mkdtemp(join(parent, 'intercede-')), temporary: true }
}

export function socketFolderIn(dataDir: string): string {
  return join(dataDir, 'socket')
}

/** PostgreSQL's socket in this folder. Its lock file has the same name with `.lock` at the end. */
export function socketIn(folder: string): string {
  return join(folder, `.s.PGSQL.${String(SOCKET_PORT)}`)
}

function fits(folder: string): boolean {
  return Buffer.byteLength(socketIn(folder)) <= SOCKET_PATH_LIMIT
}

/** A free port, and the password that was generated together with the database. */
export async function makeLoopback(dataDir: string): Promise<Endpoint> {
  const passwordFile = passwordFileIn(dataDir)
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  // If several processes generate one, the first to write its password wins, and all of them read that.
  await writeFile(passwordFile, password, { flag: 'wx', mode: 0o600 }).catch(() => {})
  return {
    kind: 'loopback',
    port: await findFreePort('127.0.0.1'),
    password: await readFile(passwordFile, 'utf8'),
    passwordFile,
  }
}

export function passwordFileIn(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}

/** The settings that make PostgreSQL listen at this endpoint only. */
export function endpointSettings(endpoint: Endpoint): Record<string, string> {
  return endpoint.kind === 'socket'
    ? {
        listen_addresses: '',
        port: String(SOCKET_PORT),
        unix_socket_directories: endpoint.folder,
        unix_socket_permissions: '0700',
      }
    : { listen_addresses: '127.0.0.1', port: String(endpoint.port), unix_socket_directories: '' }
}

/** URL of a database at this endpoint. */
export function endpointUrl(endpoint: Endpoint, user: string, database: string): string {
  const url = new URL(`postgresql:///${database}`)
  url.searchParams.set('user', user)
  if (endpoint.kind === 'socket') url.searchParams.set('host', endpoint.folder)
  else {
    url.searchParams.set('host', '127.0.0.1')
    url.searchParams.set('port', String(endpoint.port))
    url.searchParams.set('password', endpoint.password)
  }
  return url.href
}

/** Arguments for initdb: how clients authenticate at this endpoint. */
export function authenticationArguments(endpoint: Endpoint): string[] {
  return endpoint.kind === 'socket'
    ? ['--auth-local=trust', '--auth-host=reject']
    : ['--auth-local=reject', '--auth-host=scram-sha-256', `--pwfile=${endpoint.passwordFile}`]
}
