/** A value of ASN.1 in DER, by its tag. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(length.toString(16).padStart(length < 0x100 ? 2 : 4, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 + bytes.length]), bytes])
}

export const sequence = (...items: readonly Uint8Array[]) => der(0x30, ...items)
export const octets = (...contents: readonly Uint8Array[]) => der(0x04, ...contents)
export const bits = (bytes: Uint8Array, unused = 0) => der(0x03, Buffer.from([unused]), bytes)
export const utf8 = (text: string) => der(0x0c, Buffer.from(text))
export const yes = der(0x01, Buffer.from([0xff]))

/** A positive integer, whose first byte must not look negative. */
export const integer = (bytes: Uint8Array) => der(0x02, Buffer.from([0]), bytes)

/** An object identifier in dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]))
}

function base128(value: number): readonly number[] {
  const groups = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80)
  return groups
}

/** A time before 2050, without fractions: RFC 5280 has two digits for its year. */
export function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/\D/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}
