import {describe, expect, it} from '@jest/globals'
import {builtInViolations} from '../../../src/inspect/policy/built-in-checks.js'
import {NO_PACKAGE} from '../../../src/inspect/policy/judged-package.js'
import {withFullOwners} from '../../../src/pipeline/request/team-policy.js'

const CRD = {
  ...{name: 'sizes.x.example.org', group: 'x.example.org', kind: 'Size', plural: 'sizes', scope: 'Cluster'},
  ...{versions: ['v1'], served: ['v1'], stored: 'v1'},
}

interface Case {
  readonly name: string
  readonly repository: string
  readonly owner: string
  readonly defaultSource?: string
  readonly isUnnamed?: boolean
  /** The owner that is named; absent for a package that is accepted. */
  readonly want?: string
}

const CASES: readonly Case[] = [
  {name: 'itself', repository: 'docker.io/x/app', owner: 'x/app'},
  {name: 'itself, named with its registry', repository: 'docker.io/x/app', owner: 'docker.io/x/app'},
  {
    name: 'itself on another name of docker.io',
    repository: 'index.docker.io/x/app',
    owner: 'docker.io/x/app',
  },
  {name: 'itself by another name of docker.io', repository: 'x/app', owner: 'registry-1.docker.io/x/app'},
  {name: 'itself without a registry', repository: 'x/app', owner: 'x/app'},
  {name: 'itself by a name without a slash', repository: 'docker.io/library/app', owner: 'app'},
  {name: 'itself on a registry in capitals', repository: 'R.example.org/x/app', owner: 'r.example.org/x/app'},
  {
    name: 'itself on the default source',
    ...{repository: 'r.example.org/x/app', owner: 'x/app', defaultSource: 'r.example.org'},
  },
  {
    name: 'itself on a default source with a path',
    ...{repository: 'r.example.org/mirror/x/app', owner: 'x/app', defaultSource: 'r.example.org/mirror'},
  },
  {
    name: 'its path in another registry',
    ...{repository: 'ghcr.io/x/app', owner: 'x/app', want: 'x/app'},
  },
  {
    name: 'its path below another one',
    ...{repository: 'ghcr.io/attacker/x/app', owner: 'x/app', want: 'x/app'},
  },
  {
    name: 'its path below another one on docker.io',
    ...{repository: 'docker.io/attacker/x/app', owner: 'x/app', want: 'x/app'},
  },
  {
    name: 'a package on docker.io, for one on the default source',
    ...{repository: 'docker.io/x/app', owner: 'x/app', defaultSource: 'r.example.org'},
    want: 'r.example.org/x/app',
  },
  {
    name: 'a package beside the path of the default source',
    ...{repository: 'r.example.org/x/app', owner: 'x/app', defaultSource: 'r.example.org/mirror'},
    want: 'r.example.org/mirror/x/app',
  },
  {
    name: 'a package on the default source, for one on docker.io',
    ...{repository: 'r.example.org/x/app', owner: 'docker.io/x/app', defaultSource: 'r.example.org'},
    want: 'x/app',
  },
  {name: 'a package on disk without a name', repository: './app', owner: 'x/app', isUnnamed: true},
  {name: 'a record, which could be of any package', repository: '', owner: 'x/app', want: 'x/app'},
  {name: 'a folder that is requested', repository: 'local/An app', owner: 'x/app', want: 'x/app'},
]

describe('owners of a policy', () => {
  it.each(CASES)('compare with the owner: $name', ({repository, owner, defaultSource, isUnnamed, want}) => {
    const policy = {owners: [{group: '*.example.org', package: owner, line: 3}], reject: {}}
    const judged = {...NO_PACKAGE, crds: [CRD], pkg: {...NO_PACKAGE.pkg, repository}, isUnnamed}
    const object = 'CustomResourceDefinition sizes.x.example.org'
    const rejected = {
      ...{rule: 'policy-owner', line: 3, field: 'owners["*.example.org"]', object},
      message: `${object}: *.example.org is assigned to ${want ?? ''}`,
    }
    expect(builtInViolations(withFullOwners(policy, defaultSource), judged)).toEqual(
      want === undefined ? [] : [rejected],
    )
  })
})
