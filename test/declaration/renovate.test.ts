import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {readDeclaration} from '../../src/declaration/read-declaration.js'

function managerIn(page: string) {
  const [, block = ''] =
    /```json\n([^`]*customManagers[^`]*)```/.exec(readFileSync(`docs/${page}.md`, 'utf8')) ?? []
  const {customManagers} = JSON.parse(block) as {
    customManagers: {managerFilePatterns: string[]; matchStrings: string[]}[]
  }
  return customManagers[0]
}
const DIGEST = `sha256:${'a'.repeat(64)}`
const DECLARATION = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
owners: {sql.example.org: example/sql}
crossplaneVersion: v0.11
assume:
- packages.example.org/v1
- ./packages/package.yaml
render: {kubeVersion: "1.20", api: packages, pin: false}
packages:
- package: example/app:v0.1.0
  namespace: team-a
- package: "registry.example.org:5000/team/sql:1.2.3"
- package: example/pinned:v1.0.0@${DIGEST}
- package: example/floating
- package: example/ranged
  version: ^0.10
- crd: databases.sql.example.org
- {package: example/last:v3.0.0, name: last}
- {package: 'example/quoted:v3.1.0'}
`

describe('the custom manager for Renovate in docs/updates.md', () => {
  const manager = managerIn('updates')

  it('finds the tags of a valid declaration', () => {
    expect(readDeclaration('crossplane-packages.yaml', Buffer.from(DECLARATION)).packages).toHaveLength(8)
    const pattern = new RegExp(manager?.matchStrings[0] ?? '', 'g')
    const found = [...DECLARATION.matchAll(pattern)].map(({groups}) => ({...groups}))
    expect(found).toEqual([
      {depName: 'example/app', currentValue: 'v0.1.0'},
      {depName: 'registry.example.org:5000/team/sql', currentValue: '1.2.3'},
      {depName: 'example/pinned', currentValue: 'v1.0.0', currentDigest: DIGEST},
      {depName: 'example/last', currentValue: 'v3.0.0'},
      {depName: 'example/quoted', currentValue: 'v3.1.0'},
    ])
  })

  it('reads files with the name of a declaration', () => {
    const [, source = ''] = /^\/(.*)\/$/.exec(manager?.managerFilePatterns[0] ?? '') ?? []
    expect(
      ['crossplane-packages.yaml', 'a/b/crossplane-packages.yaml', 'a/other.yaml'].map(path =>
        new RegExp(source).test(path),
      ),
    ).toEqual([true, true, false])
  })
})
