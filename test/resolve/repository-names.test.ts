import {describe, expect, it} from '@jest/globals'
import {parsePackageImage} from '../../src/reference/package-reference.js'
import {repositoryNames} from '../../src/resolve/repository-names.js'

describe('the full name of a path without a registry', () => {
  it.each<{
    readonly reason: string
    readonly named: readonly string[]
    readonly source?: string
    readonly want: string
  }>([
    {reason: 'nothing names it otherwise', named: [], want: 'docker.io/x/app'},
    {reason: 'the default source', named: [], source: 'ghcr.io/team', want: 'ghcr.io/team/x/app'},
    {reason: 'a folder has no registries', named: ['ghcr.io/x/app:v2'], want: 'ghcr.io/x/app'},
    {
      reason: 'it is pulled from docker.io, and is not that of an owner or another request',
      named: ['x/app:v1', 'ghcr.io/x/app'],
      want: 'docker.io/x/app',
    },
    {
      reason: 'neither registry is meant more than the other',
      named: ['quay.io/x/app', 'ghcr.io/x/app'],
      want: 'docker.io/x/app',
    },
    {
      reason: 'both are one name',
      named: ['x/app:v1', 'ghcr.io/x/app'],
      source: 'ghcr.io',
      want: 'ghcr.io/x/app',
    },
    {reason: 'another path', named: ['ghcr.io/y/app'], want: 'docker.io/x/app'},
  ])('of a request for $named, with the source $source: $reason', ({named, source, want}) => {
    const nameOf = repositoryNames(named.map(parsePackageImage), source)
    expect(nameOf({path: 'x/app'}).replace(/^x/, 'docker.io/x')).toBe(want)
    expect(nameOf(parsePackageImage('quay.io/x/app'))).toBe('quay.io/x/app')
  })
})
