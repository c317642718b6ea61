import {describe, expect, it} from '@jest/globals'
import {CORE_KINDS, coreKindsOf, EMPTY_CORE_GROUP} from '../../src/render/core-kinds.js'
import {ERAS} from '../../src/render/era.js'
import {crdDefinition} from '../../src/unpack/crds.js'
import {asObject, asText} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {corpusEntries, corpusText, describeCorpus} from '../corpus.js'

interface Kind {
  readonly name: string
  readonly kind: string
  readonly versions: readonly string[]
  readonly scope: string
}

function byName(a: Kind, b: Kind): number {
  return a.name < b.name ? -1 : 1
}

function released(release: string): Kind[] {
  return corpusEntries('corpus-core', release)
    .filter(file => file.endsWith('.yaml'))
    .flatMap(file => readYaml(Buffer.from(corpusText('corpus-core', release, file)), file))
    .map(({value}) => {
      const {name, kind, versions} = crdDefinition(asObject(value))
      return {name, kind, versions, scope: asText(asObject(asObject(value).spec).scope)}
    })
    .sort(byName)
}

describeCorpus("Crossplane's own kinds", () => {
  it.each(corpusEntries('corpus-core'))('match those of %s', release => {
    const want = released(release)
    const ours = CORE_KINDS.filter(({group}) => group !== ERAS.stacks.group)
    expect(
      ours
        .map(({group, kind, plural, version, scope}) => ({
          name: `${plural}.${group}`,
          kind,
          versions: [version],
          scope,
        }))
        .sort(byName),
    ).toEqual(want)
    expect(want.map(({name}) => name).filter(name => name.endsWith(`.${EMPTY_CORE_GROUP}`))).toEqual([])
  })
})

describe('the groups of a release', () => {
  const groups = (release: string) => [...new Set(coreKindsOf(release)?.map(({group}) => group))]
  const old = ['cache', 'compute', 'database', 'kubernetes', 'storage', 'workload']

  it.each([
    {name: 'v0.8', reason: 'before OAM', in: 'v0.8', also: ['stacks']},
    {name: 'v0.9.1', reason: 'with OAM', in: 'v0.9.1', also: ['core.oam.dev', 'stacks']},
    {
      name: 'v0.10.0',
      reason: 'with compositions',
      in: 'v0.10.0',
      also: ['apiextensions', 'core.oam.dev', 'stacks'],
    },
    {
      name: '0.11',
      reason: 'stacks became packages',
      in: '0.11',
      also: ['apiextensions', 'core.oam.dev', 'packages'],
    },
    {name: 'v0.12.0', reason: 'the last', in: 'v0.12.0', also: ['apiextensions', 'core.oam.dev', 'packages']},
  ])('$name: $reason', ({in: release, also}) => {
    const want = [...old, ...also].map(name => (name.includes('.') ? name : `${name}.crossplane.io`))
    expect(groups(release).sort()).toEqual(want.sort())
  })

  it('exclude current groups, and are unknown for a version that is not a release', () => {
    expect([coreKindsOf('v1.20.0'), coreKindsOf('newest')]).toEqual([[], undefined])
  })
})
