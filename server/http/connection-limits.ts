import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '#shared/client-network.ts'
import type { Config } from '../config.ts'
import { EndedEarly } from '../errors/ended-early.ts'

export interface ConnectionLimitOptions {
  /** Connections and other files that this process can have open. */
  maxOpenFiles: number
  /** Proxies are exempt, because they carry the connections of everyone. */
  trustProxy: Config['trustProxy']
}

/** The connections of one network. Both sets are ordered by how long a connection has been in that state, longest first. */
interface NetworkConnections {
  /** Between two requests, or before the headers of the first one have arrived. */
  idle: Set<Socket>
  /** With a request in progress. */
  busy: Set<Socket>
}

/** Files that are not for connections of clients: database pools, emails, served files and Node.js itself need about 60. */
export const RESERVED_FILES = 100

/**
 * Limits connections to the files that this process can have open, except for a reserve, and those of one network to half
 * of them, so that no single client can take them all. Connections above the first limit are closed at once. At the second, a
 * new connection replaces the one that has been idle longest, or else the one that has been busy with a request longest.
 */
export function limitConnections(app: FastifyInstance, options: ConnectionLimitOptions): void {
  const total = Math.max(2, options.maxOpenFiles - RESERVED_FILES)
  const limit = Math.floor(total / 2)
  app.server.maxConnections = total
  const isProxy = createProxyCheck(options.trustProxy)
  const networks = new Map<string, NetworkConnections>()
  const owners = new WeakMap<Socket, NetworkConnections>()
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress)) return
    const network = networkOf(remoteAddress)
    const connections = networks.get(network) ?? { idle: new Set(), busy: new Set() }
    networks.set(network, connections)
    if (connections.idle.size + connections.busy.size >= limit) closeOne(connections)
    connections.idle.add(socket)
    owners.set(socket, connections)
    socket.once('close', () => {
      remove(connections, socket)
      if (connections.idle.size + connections.busy.size === 0) networks.delete(network)
    })
  })
  app.server.on('request', ({ socket }, response) => {
    const connections = owners.get(socket)
    if (connections === undefined) return
    remove(connections, socket)
    connections.busy.add(socket)
    response.once('close', () => {
      remove(connections, socket)
      if (!socket.destroyed) connections.idle.add(socket)
    })
  })
}

function closeOne(connections: NetworkConnections): void {
  const [socket] = connections.idle.size > 0 ? connections.idle : connections.busy
  if (socket === undefined) return
  remove(connections, socket)
  socket.destroy(new EndedEarly('too many connections of its network', 'info'))
}

function remove({ idle, busy }: NetworkConnections, socket: Socket): void {
  idle.delete(socket)
  busy.delete(socket)
}

/** With `true` or a number of proxies, whoever connects is one. */
function createProxyCheck(trustProxy: Config['trustProxy']): (address: string) => boolean {
  if (typeof trustProxy !== 'string') return () => trustProxy !== false && trustProxy !== 0
  const isProxy = compile(trustProxy.split(',').map((range) => range.trim()))
  return (address) => isProxy(address, 0)
}

/** Where the system does not tell, or does not limit them. */
const ASSUMED_MAX_OPEN_FILES = 1024

/**
 * How many files this process can have open. Node.js raises this limit at its start as far as the system allows, which is
 * the hard limit (`ulimit -Hn`, or LimitNOFILE in systemd).
 */
export function readMaxOpenFiles(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? ASSUMED_MAX_OPEN_FILES : Number(limit)
  } catch {
    return ASSUMED_MAX_OPEN_FILES
  }
}
