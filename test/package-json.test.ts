import {describe, expect, it} from '@jest/globals'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {satisfies, valid} from 'semver'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as Record<string, unknown> & {
  readonly engines: {readonly node: string}
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

describe('package.json', () => {
  it('has the fields that others rely on', () => {
    const {name, type, license, engines, bin} = manifest
    expect({name, type, license, engines, bin}).toEqual({
      name: 'kubectl-crossplane',
      type: 'module',
      license: 'Apache-2.0',
      engines: {node: '>=20.19'},
      bin: {
        'kubectl-crossplane': 'bin/run.js',
        'kubectl_complete-crossplane': 'bin/complete.js',
      },
    })
  })

  it.each([
    {node: '20.18.3', want: false},
    {node: '20.19.0', want: true},
    {node: '22.12.0', want: true},
    {node: '24.0.0', want: true},
  ])('supports Node $node: $want', ({node, want}) => {
    expect(satisfies(node, manifest.engines.node)).toBe(want)
  })

  it('pins every dependency, so that two clones are the same program', () => {
    const versions = Object.values({...manifest.dependencies, ...manifest.devDependencies})
    // The version of an alias follows the name of what it stands for.
    expect(versions.filter(version => valid(version.replace(/^npm:[a-z]+@/, '')) === null)).toEqual([])
  })

  it('contains a program that a shell can start', () => {
    expect(Object.values(manifest.bin).map(path => read(path).split('\n')[0])).toEqual([
      '#!/usr/bin/env node',
      '#!/usr/bin/env node',
    ])
  })

  it('contains the license that it names', () => {
    expect(read('LICENSE')).toMatch(
      /Apache License\s+Version 2\.0, January 2004[\s\S]+END OF TERMS AND CONDITIONS/,
    )
  })
})

describe('the top level', () => {
  it.each([
    'README.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'krew-manifest.yaml',
    'package-lock.json',
    '.dependency-cruiser.cjs',
    '.ci/run',
    'bin/run.js',
    'src/README.md',
    'docs/decisions/README.md',
  ])('contains %s', path => {
    expect(existsSync(join(root, path))).toBe(true)
  })
})
