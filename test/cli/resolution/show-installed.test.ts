import {describe, expect, it} from '@jest/globals'
import {expectNoRequestFlags, expectOfCluster} from '../../../src/cli/resolution/show-installed.js'

describe('a command line with --installed', () => {
  // Of packages for Crossplane v0.12, these decide what an upgrade of the installed ones would select.
  it.each([
    ...['dependency-namespace', 'system-namespace', 'owner', 'assume', 'crossplane-version'],
    ...['allow-version-mismatch', 'policy', 'packages', 'index', 'default-source', 'core-version'],
  ])('can compare with --%s', flag => {
    expect(() => {
      expectNoRequestFlags(new Set(['installed', flag]))
    }).not.toThrow()
  })

  it.each(['namespace', 'as-package'])('compares no request with --%s', flag => {
    expect(() => {
      expectNoRequestFlags(new Set(['installed', flag]))
    }).toThrow(`--${flag} has no effect with --installed`)
  })

  it.each(['dependency-namespace', 'owner', 'packages'])('draws what is installed without --%s', flag => {
    expect(() => {
      expectOfCluster(new Set(['installed', 'namespace', flag]), ['namespace', 'depth'])
    }).toThrow(`--${flag} has no effect with --installed`)
  })
})
