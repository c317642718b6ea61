import {describe, expect, it} from '@jest/globals'

/**
 * A suite that needs something from outside: a tool on PATH, or the corpus of real packages. `missing` says in a few
 * words what is absent. The suite is then named as skipped on stderr, or fails where REQUIRE_REAL=1 asks for the
 * real thing, so that a gate which promises it cannot lose it silently.
 */
export function describeReal(name: string, missing: string | undefined, body: () => void): void {
  if (missing === undefined) {
    describe(name, body)
    return
  }
  describe(name, () => {
    it(`is skipped: ${missing}`, () => {
      process.stderr.write(`SKIPPED ${name}: ${missing}\n`)
      expect({missing, required: process.env.REQUIRE_REAL === '1'}).toEqual({missing, required: false})
    })
  })
}
