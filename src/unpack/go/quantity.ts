const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const
const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?(n|u|m|k|M|G|T|P|E|[KMGTPE]i|[eE][+-]?\d{1,3})?$/
const NANO = 10n ** 9n

type Notation = 'decimal' | 'binary' | 'exponent'

/**
 * The canonical form of a Kubernetes resource quantity: no fractional digits, the largest fitting suffix, finer than
 * nano rounded up (https://pkg.go.dev/k8s.io/apimachinery/pkg/api/resource#Quantity). Undefined for other text.
 */
export function canonicalQuantity(text: string): string | undefined {
  const amount = amountOf(text)
  if (amount === undefined) return undefined
  const formatted = format(amount.nanos, amount.notation)
  return amount.isNegative && formatted !== '0' ? `-${formatted}` : formatted
}

/** A quantity in billionths of its unit, to compare it; undefined for other text. */
export function nanosOf(text: string): bigint | undefined {
  const amount = amountOf(text)
  return amount?.isNegative === true ? -amount.nanos : amount?.nanos
}

interface Amount {
  readonly isNegative: boolean
  readonly nanos: bigint
  readonly notation: Notation
}

function amountOf(text: string): Amount | undefined {
  const [matched, sign, whole = '', fraction = '', suffix = ''] = QUANTITY.exec(text) ?? []
  if (matched === undefined || !/\d/.test(matched)) return undefined
  const {notation, numerator, denominator} = scaleOf(suffix)
  const nanos = divideUp(
    BigInt(whole + fraction) * numerator * NANO,
    denominator * 10n ** BigInt(fraction.length),
  )
  return {isNegative: sign === '-', nanos, notation}
}

function scaleOf(suffix: string): {notation: Notation; numerator: bigint; denominator: bigint} {
  if (/^[eE][+-]?\d/.test(suffix)) return {notation: 'exponent', ...powerOf(10n, Number(suffix.slice(1)))}
  const binary = suffix === '' ? -1 : BINARY_SUFFIXES.indexOf(suffix as (typeof BINARY_SUFFIXES)[number])
  if (binary > 0) return {notation: 'binary', ...powerOf(1024n, binary)}
  const decimal = DECIMAL_SUFFIXES.indexOf(suffix as (typeof DECIMAL_SUFFIXES)[number])
  return {notation: 'decimal', ...powerOf(1000n, decimal - DECIMAL_SUFFIXES.indexOf(''))}
}

function powerOf(base: bigint, exponent: number): {numerator: bigint; denominator: bigint} {
  return exponent >= 0
    ? {numerator: base ** BigInt(exponent), denominator: 1n}
    : {numerator: 1n, denominator: base ** BigInt(-exponent)}
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

function format(nanos: bigint, notation: Notation): string {
  // Below 1024, and for parts of a unit, a binary suffix has no meaning: Kubernetes falls back to the decimal notation.
  if (notation === 'binary' && nanos >= 1024n * NANO && nanos % NANO === 0n) return formatBinary(nanos / NANO)
  return formatDecimal(nanos, notation)
}

function formatBinary(units: bigint): string {
  let [mantissa, step] = [units, 0]
  while (mantissa !== 0n && mantissa % 1024n === 0n && step < BINARY_SUFFIXES.length - 1) {
    mantissa /= 1024n
    step += 1
  }
  return `${mantissa}${BINARY_SUFFIXES[step] ?? ''}`
}

function formatDecimal(nanos: bigint, notation: Notation): string {
  if (nanos === 0n) return '0'
  let [mantissa, step] = [nanos, 0]
  while (mantissa % 1000n === 0n && step < DECIMAL_SUFFIXES.length - 1) {
    mantissa /= 1000n
    step += 1
  }
  const exponent = (step - DECIMAL_SUFFIXES.indexOf('')) * 3
  if (notation !== 'exponent') return `${mantissa}${DECIMAL_SUFFIXES[step] ?? ''}`
  return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`
}
