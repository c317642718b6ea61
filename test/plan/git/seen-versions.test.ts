import {describe, expect, it} from '@jest/globals'
import {SeenByHome} from '../../../src/plan/git/seen-versions.js'

const [MAIN, RELEASE] = ['crossplane-update/main/+/', 'crossplane-update/release/+/']
const DAY = 24 * 60 * 60 * 1000
const NOW = Date.parse('2026-05-01T00:00:00Z')

/** The text after a run that asks for the age of these versions. */
function textAfter(text: string, home: string, now: number, ...asked: readonly [string, string, string?][]) {
  const seen = new SeenByHome(text, home, now)
  for (const [repository, tag, locked] of asked) seen.age(repository, tag, locked)
  return seen.after(new SeenByHome(text, home, now)).text(text) ?? text
}

describe('the versions that a home has seen', () => {
  it('are kept beside those of other targets and folders', () => {
    const main = textAfter('', MAIN, NOW, ['host/a', 'v2.0.0', 'v1.0.0'])
    const both = textAfter(main, RELEASE, NOW + DAY, ['host/a', 'v2.0.0', 'v1.0.0'])
    const again = textAfter(both, MAIN, NOW + 2 * DAY, ['host/a', 'v2.0.0', 'v1.0.0'])
    expect(again).toBe(both)
    expect(new SeenByHome(again, MAIN, NOW + 2 * DAY).age('host/a', 'v2.0.0', 'v1.0.0')).toBe(2 * DAY)
    expect(new SeenByHome(again, RELEASE, NOW + 2 * DAY).age('host/a', 'v2.0.0', 'v1.0.0')).toBe(DAY)
  })

  it('have an age also of a package that is not locked, but not of what is locked', () => {
    const text = textAfter('', MAIN, NOW, ['host/new', 'v1.0.0'], ['host/a', 'v1.0.0', 'v1.0.0'])
    expect(JSON.parse(text)).toEqual({[MAIN]: {'host/new:v1.0.0': '2026-05-01T00:00:00.000Z'}})
    expect(new SeenByHome(text, MAIN, NOW + DAY).age('host/new', 'v1.0.0', undefined)).toBe(DAY)
    expect(new SeenByHome(text, MAIN, NOW + DAY).age('host/other', 'v1.0.0', undefined)).toBe(0)
  })

  it('stay while other packages are asked for, and end when they are locked or long gone', () => {
    const text = textAfter('', MAIN, NOW, ['host/a', 'v2.0.0', 'v1.0.0'], ['host:1/b', 'v2.0.0', 'v1.0.0'])
    expect(textAfter(text, MAIN, NOW + DAY, ['host:1/b', 'v2.0.0', 'v1.0.0'])).toBe(text)
    const locked = textAfter(text, MAIN, NOW + DAY, ['host:1/b', 'v2.0.0', 'v2.0.0'])
    expect(Object.keys((JSON.parse(locked) as Record<string, object>)[MAIN] ?? {})).toEqual(['host/a:v2.0.0'])
    const later = textAfter(text, MAIN, NOW + 400 * DAY, ['host:1/b', 'v2.0.0', 'v1.0.0'])
    expect(Object.keys((JSON.parse(later) as Record<string, object>)[MAIN] ?? {})).toEqual([
      'host:1/b:v2.0.0',
    ])
  })
})
