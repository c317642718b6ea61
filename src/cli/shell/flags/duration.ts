import {CrossplaneError} from '../../../errors.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', SECOND],
  ['m', MINUTE],
  ['h', HOUR],
  ['d', DAY],
])

/** Milliseconds in `30d`, `1h30m` or `500ms`. Throws `usage`, naming the flag, for an invalid duration. */
export function parseDuration(text: string, flag: string): number {
  if (/^(?:\d{1,9}(?:ms|[smhd]))+$/.test(text)) {
    const parts = [...text.matchAll(/(\d+)(ms|[smhd])/g)]
    return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (UNITS.get(unit) ?? 0), 0)
  }
  throw new CrossplaneError('usage', `${flag} ${JSON.stringify(text)} is not a duration`, {
    suggestions: ['Write it as a number and ms, s, m, h or d, such as 30s, 10m or 12h.'],
  })
}

/** Formats a duration as kubectl writes ages: `45s`, `5m10s`, `3h`, `2d4h`, `400d`, `3y`. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / SECOND))
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (seconds < 2 * 60) return `${seconds}s`
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's')
  if (minutes < 3 * 60) return `${minutes}m`
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm')
  if (hours < 2 * 24) return `${hours}h`
  return formatDays(days, hours)
}

/** Formats the time since something was created; empty if that is not known. */
export function ageOf(created: string | undefined, now: number): string {
  const age = created === undefined ? NaN : now - Date.parse(created)
  return Number.isNaN(age) ? '' : formatAge(age)
}

function formatDays(days: number, hours: number): string {
  if (days < 8) return withRest(days, 'd', hours % 24, 'h')
  if (days < 2 * 365) return `${days}d`
  const years = Math.floor(days / 365)
  return days < 8 * 365 ? withRest(years, 'y', days % 365, 'd') : `${years}y`
}

function withRest(number: number, unit: string, rest: number, restUnit: string): string {
  return `${number}${unit}${rest === 0 ? '' : `${rest}${restUnit}`}`
}
