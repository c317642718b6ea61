import {expect, it} from '@jest/globals'
import {versionNotes} from '../../../src/resolve/xpkg/version-notes.js'
import type {SelectedXpkg} from '../../../src/resolve/xpkg/resolve-xpkgs.js'

const selected = (repository: string, version: string, ...requires: readonly string[]): SelectedXpkg => ({
  ...{repository, version, kind: 'Provider'},
  dependencies: requires.map(name => ({
    ...{package: name, version: '>=0.0.0'},
    ...{apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider'},
  })),
})
const FAMILY = 'xpkg.example.org/team/provider-family-aws'
const member = (version: string, name = 'ec2', family = FAMILY) =>
  selected(`xpkg.example.org/team/provider-aws-${name}`, version, family)

it('names a family and its members if their majors differ', () => {
  const set = [
    selected(FAMILY, 'v2.6.0'),
    member('v1.23.0'),
    member('v1.22.0', 's3'),
    member('v2.5.0', 'rds'),
  ]
  const team = 'xpkg.example.org/team'
  expect(versionNotes(set, [])).toEqual([
    {
      ...{severity: 'note', rule: 'xpkg-family-version', subject: {package: FAMILY}},
      message: `${FAMILY}:v2.6.0 is the family of ${team}/provider-aws-ec2:v1.23.0, ${team}/provider-aws-s3:v1.22.0, and of another major version: their release notes say whether they work together`,
    },
  ])
})

it.each([
  {name: 'the same major', in: [selected(FAMILY, 'v2.6.0'), member('v2.1.0')]},
  {name: 'a digest', in: [selected(FAMILY, `sha256:${'0'.repeat(64)}`), member('v1.0.0')]},
  {
    name: 'a family of another organization',
    in: [
      selected('xpkg.example.org/other/provider-family-aws', 'v2.0.0'),
      member('v1.0.0', 'ec2', 'xpkg.example.org/other/provider-family-aws'),
    ],
  },
  {
    name: 'a dependency that is no family',
    in: [
      selected('xpkg.example.org/team/provider-sql', 'v2.0.0'),
      member('v1.0.0', 'ec2', 'xpkg.example.org/team/provider-sql'),
    ],
  },
])('says nothing of $name', ({in: set}) => {
  expect(versionNotes(set, [])).toEqual([])
})
