import {describe, expect, it} from '@jest/globals'
import {xpkgFlags} from '../../src/cli/declaration/xpkg-flags.js'
import {contentFlags} from '../../src/cli/render/render-flags.js'
import type {FormatName} from '../../src/locate/expect-format.js'
import {expectApplicable} from '../../src/package/expect-applicable.js'

const rows = (other: FormatName, flags: object) => Object.keys(flags).map(flag => ({flag, other}))

describe('a flag of one format of packages', () => {
  it.each([...rows('xpkg', contentFlags), ...rows('stack', xpkgFlags)])(
    'is rejected where all packages are of the other one: --$flag of $other',
    ({flag, other}) => {
      const flags = new Set([flag])
      expect(() => expectApplicable([other], flags)).toThrow(expect.objectContaining({code: 'usage'}))
      expect(() => expectApplicable(['stack', 'xpkg'], flags)).not.toThrow()
    },
  )
})
