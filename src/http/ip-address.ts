/** An address as a number, and the number of bits of such addresses. */
export interface IpAddress {
  readonly bits: bigint
  readonly size: 32 | 128
}

/** Reads an IPv4 address, or an IPv6 address with or without brackets; undefined for any other text. */
export function ipAddress(text: string): IpAddress | undefined {
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(text)) return ipv4(text.split('.').map(Number))
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  return bare.includes(':') ? ipv6(bare) : undefined
}

/** Reports whether an address is in a network such as `10.0.0.0/8`. False for an invalid address or network. */
export function isWithin(text: string, network: string): boolean {
  const [, start = '', length = ''] = /^(.*)\/(\d{1,3})$/.exec(network) ?? []
  const [address, base] = [ipAddress(text), ipAddress(start)]
  if (address?.size !== base?.size || address === undefined || base === undefined) return false
  const rest = BigInt(base.size) - BigInt(length)
  return rest >= 0n && address.bits >> rest === base.bits >> rest
}

function ipv4(parts: readonly number[]): IpAddress | undefined {
  if (parts.some(part => part > 255)) return undefined
  return {bits: parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n), size: 32}
}

/** The URL parser reads all notations, and writes one: groups in hex, `::` at most once. */
function ipv6(text: string): IpAddress | undefined {
  const url = `http://[${text}]/`
  if (!URL.canParse(url)) return undefined
  const [before = '', after] = new URL(url).hostname.slice(1, -1).split('::')
  const [left, right] = [groups(before), groups(after ?? '')]
  const zeros = Array<bigint>(8 - left.length - right.length).fill(0n)
  return {bits: [...left, ...zeros, ...right].reduce((bits, group) => (bits << 16n) | group, 0n), size: 128}
}

function groups(text: string): readonly bigint[] {
  return text === '' ? [] : text.split(':').map(group => BigInt(`0x${group}`))
}
