import {CrossplaneError} from '../errors.js'

const UNITS: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000, h: 3_600_000}

/** A duration as Go writes them, in milliseconds. Throws `usage`. */
export function parseDuration(text: string, flag: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? []
  const milliseconds = Number(amount) * (UNITS[unit] ?? Number.NaN)
  if (amount !== '' && milliseconds > 0) return milliseconds
  throw new CrossplaneError('usage', `${flag} ${JSON.stringify(text)} is no duration`, {
    suggestions: ['Write a number above 0 and a unit, such as 500ms, 30s or 2m.'],
  })
}
