import {describe, expect, it} from '@jest/globals'
import {packagesInIndex} from '../../src/completion/index-lines.js'
import {knownPackages, packagesInDeclaration} from '../../src/completion/known-packages.js'
import {readDeclaration} from '../../src/declaration/read-declaration.js'

describe('known packages', () => {
  const named = [
    {repository: 'registry.example.org/db', tag: 'v1'},
    {repository: 'example/app', tag: 'v0.9.0'},
    {repository: 'example/app'},
    {repository: 'example/app', tag: 'v0.10.0'},
    {repository: 'example/app', tag: 'v0.9.0'},
    {repository: 'localhost/db', tag: 'v1'},
  ]

  it('are sorted, with each tag once, newest first', () => {
    expect(knownPackages(named, false)).toEqual([
      {repository: 'example/app', tags: ['v0.10.0', 'v0.9.0']},
      {repository: 'localhost/db', tags: ['v1']},
      {repository: 'registry.example.org/db', tags: ['v1']},
    ])
  })

  it('have a host where references without one are elsewhere', () => {
    expect(knownPackages(named, true).map(({repository}) => repository)).toEqual([
      'docker.io/example/app',
      'localhost/db',
      'registry.example.org/db',
    ])
  })

  it.each([
    {in: 'example/app', want: {repository: 'example/app'}},
    {in: 'example/app:v1', want: {repository: 'example/app', tag: 'v1'}},
    {in: 'registry.example.org:5000/app', want: {repository: 'registry.example.org:5000/app'}},
    {
      in: `registry.example.org:5000/app:v1@sha256:${'a'.repeat(64)}`,
      want: {repository: 'registry.example.org:5000/app', tag: 'v1'},
    },
  ])('of a declaration: $in', ({in: text, want}) => {
    const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
    const bytes = Buffer.from(`${head}packages:\n- package: ${text}\n- crd: apps.example.org\n`)
    expect(packagesInDeclaration(readDeclaration('a.yaml', bytes))).toEqual([want])
  })
})

describe('packages in documents of an index', () => {
  const entry = (tag: unknown, identity: unknown = 'example/app', kind = 'PackageEntry') =>
    JSON.stringify({kind, identity, tag})

  it('are those of valid lines that were not yanked', () => {
    const documents = [
      entry('v1'),
      [
        '{"kind":"PackageSnapshot"}',
        entry('v2'),
        entry('v3'),
        entry('v3', 'example/app', 'PackageYank'),
        entry('v1;touch a'),
        entry('v1', 'example/app $(touch a)'),
        entry('v1', 'Example/App'),
        entry(['v1']),
        entry('v4', 'example/app', 'Other'),
        '{"kind":"PackageEntry"',
        'null',
        '[]',
        '',
      ].join('\n'),
    ]
    expect(packagesInIndex(documents.map(text => Buffer.from(text)))).toEqual([
      {repository: 'example/app', tag: 'v1'},
      {repository: 'example/app', tag: 'v2'},
    ])
  })
})
