/** The client that an IP address stands for: an IPv4 address itself, or the /64 network of an IPv6 address. */
export function networkOf(ip: string): string {
  const [address = ''] = ip.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const front = head.split(':').filter((group) => group !== '')
  const back = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  return `${[...front, ...zeros, ...back]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** The network around a client, as it is given to a home or an office: /24 for IPv4, /48 for IPv6. */
export function subnetOf(ip: string): string {
  const client = networkOf(ip)
  return client.includes(':')
    ? `${client.split(':').slice(0, 3).join(':')}::/48`
    : `${client.split('.').slice(0, 3).join('.')}.0/24`
}
