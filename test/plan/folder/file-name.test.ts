import {describe, expect, it} from '@jest/globals'
import * as fc from 'fast-check'
import {CrossplaneError} from '../../../src/errors.js'
import {distinctNames, type Nameable} from '../../../src/plan/folder/file-name.js'

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: readonly Nameable[]
  readonly want: readonly string[]
}

const long = 'x'.repeat(400)

const cases: readonly Case[] = [
  {
    name: 'plain names',
    reason: 'a safe name is unchanged',
    in: [
      {stem: 'buckets.storage.example.org', identity: '1'},
      {stem: 'role-1', identity: '2'},
    ],
    want: ['buckets.storage.example.org.yaml', 'role-1.yaml'],
  },
  {
    name: 'unsafe characters',
    reason: 'each becomes one hyphen, and none remains at an end',
    in: [
      {stem: 'ClusterRole-a:b/c d', identity: '1'},
      {stem: '../..\\etc/', identity: '2'},
      {stem: '.hidden.', identity: '3'},
      {stem: 'Ünï-ſK', identity: '4'},
    ],
    want: ['clusterrole-a-b-c-d.yaml', 'etc.yaml', 'hidden.yaml', 'n---k.yaml'],
  },
  {
    name: 'nothing safe at all',
    reason: 'a file still has a name',
    in: [{stem: ':::', identity: '1'}],
    want: ['unnamed.yaml'],
  },
  {
    name: 'names that differ only in case or in mapped characters',
    reason: 'all get a hash, so that no name depends on their order',
    in: [
      {stem: 'a:b', identity: 'first'},
      {stem: 'A-B', identity: 'second'},
      {stem: 'a-c', identity: 'third'},
    ],
    want: ['a-b-a7937b64.yaml', 'a-b-16367aac.yaml', 'a-c.yaml'],
  },
  {
    name: 'a kustomization by any of its names',
    reason: 'kustomize would read the file',
    in: [{stem: 'Kustomization', identity: 'ns'}],
    want: ['kustomization-7bfba6e0.yaml'],
  },
  {
    name: 'a name that looks like one with a hash',
    reason: 'a conflict with a hashed name is resolved too',
    in: [
      {stem: 'a', identity: 'first'},
      {stem: 'A', identity: 'second'},
      {stem: 'a-a7937b64', identity: 'third'},
    ],
    want: ['a-a7937b64.yaml', 'a-16367aac.yaml', 'a-a7937b64-b1e99324.yaml'],
  },
  {
    name: 'names that Windows reserves for devices',
    reason: 'whatever follows the first dot, the name gets a hash in front of it',
    in: [
      {stem: 'CON', identity: 'first'},
      {stem: 'aux.team', identity: 'second'},
      {stem: 'com1', identity: 'third'},
      {stem: 'console', identity: '4'},
      {stem: 'com10.x', identity: '5'},
      {stem: 'x.nul', identity: '6'},
    ],
    want: [
      ...['con-a7937b64.yaml', 'aux-16367aac.team.yaml', 'com1-b1e99324.yaml'],
      ...['console.yaml', 'com10.x.yaml', 'x.nul.yaml'],
    ],
  },
  {
    name: 'a long name that Windows reserves',
    reason: 'it still ends within 200 bytes',
    in: [{stem: `nul.${long}`, identity: 'first'}],
    want: [`nul-a7937b64.${'x'.repeat(182)}.yaml`],
  },
  {
    name: 'a name that is too long',
    reason: 'the file name ends within 200 bytes, hash and ending included',
    in: [
      {stem: `${long}1`, identity: 'first'},
      {stem: `${long}2`, identity: 'second'},
    ],
    want: [`${'x'.repeat(186)}-a7937b64.yaml`, `${'x'.repeat(186)}-16367aac.yaml`],
  },
]

describe('distinctNames', () => {
  it('is safe, short and distinct for any names, lower-cased too', () => {
    const words = fc.oneof(
      fc.string({unit: 'grapheme', maxLength: 300}),
      fc.constantFrom('a', 'A', 'a:', 'Kustomization', 'NUL', 'nul', 'aux.x'),
    )
    fc.assert(
      fc.property(fc.array(words, {maxLength: 20}), stems => {
        const names = distinctNames(
          stems.map((stem, index) => ({stem, identity: `${index}`})),
          '.yaml',
        )
        expect(new Set(names).size).toBe(stems.length)
        for (const name of names) {
          expect(name).toMatch(/^[a-z0-9][a-z0-9.-]*\.yaml$/)
          expect(name.length).toBeLessThanOrEqual(200)
          expect(name).not.toMatch(/^(?:kustomization|nul|aux)[.]/)
        }
      }),
    )
  })

  it.each(cases)('$name: $reason', ({in: things, want}) => {
    expect(distinctNames(things, '.yaml')).toEqual(want)
  })

  it('gives folders no extension, and none that kustomize would read as a file', () => {
    const folders = ['kustomization.yaml', 'kustomization.yml', 'Kustomization', 'team.gcp']
    const names = distinctNames(folders.map(stem => ({stem, identity: stem})))
    expect(names.map(name => name.replace(/-[0-9a-f]{8}$/, '-HASH'))).toEqual([
      'kustomization.yaml-HASH',
      'kustomization.yml-HASH',
      'kustomization-HASH',
      'team.gcp',
    ])
  })

  it('rejects the same object twice', () => {
    const twice = [
      {stem: 'a', identity: 'same'},
      {stem: 'a', identity: 'same'},
    ]
    expect(() => distinctNames(twice)).toThrow(expect.objectContaining({code: 'conflict'}))
    expect(() => distinctNames(twice)).toThrow(CrossplaneError)
  })
})
