import {expect, it} from '@jest/globals'
import {CORE_KINDS, EMPTY_CORE_GROUP} from '../../src/render/core-kinds.js'
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
  it.each(corpusEntries('corpus-core'))('are those that %s brought', release => {
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
