import {describe, expect, it} from '@jest/globals'
import {formatOutdated} from '../../../src/cli/resolution/show-outdated.js'
import type {OutdatedPackage} from '../../../src/package/reports.js'

const plain = (_style: string, text: string) => text
const LONG = 'xpkg.registry.example.org/a-rather-long-organization/provider-with-a-long-name'

const heldBack = (name: string): OutdatedPackage => ({
  package: name,
  locked: `sha256:${'a'.repeat(64)}`,
  fits: 'v1.20.0-rc.1',
  newest: 'v2.0.0',
  status: 'held-back',
  reason: `${LONG}-two:v1.0.0 requires ${name} <v2.0.0, ${LONG}-three:v1.0.0 requires ${name} >=v1.0.0`,
})

describe('formatOutdated', () => {
  it.each([{name: 'x/a'}, {name: LONG}, {name: `${LONG}-and-even-longer`}])(
    'has no line of more than 100 columns: $name',
    ({name}) => {
      const text = formatOutdated({packages: [heldBack(name)], current: 1}, plain)
      expect(text.split('\n').filter(line => line.length > 100)).toEqual([])
      expect(text.replaceAll(/\s+/g, ' ')).toBe(
        `HELD BACK LOCKED SELECTED LATEST ${name} sha256:aaaaaaaaaaaa v1.20.0-rc.1 v2.0.0 ${heldBack(name).reason} 1 package up to date. `,
      )
    },
  )
})
