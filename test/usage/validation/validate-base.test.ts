import {describe, expect, it} from '@jest/globals'
import type {PlacedPatch} from '../../../src/usage/validation/composition/composition-finding.js'
import {baseFindings} from '../../../src/usage/validation/composition/validate-base.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const ANY = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}
const composed = {schema: ANY, isNamespaced: false, hasStatus: false, isStored: true}

/** The findings for patches of one resource, which write to these paths. */
function found(base: JsonObject, ...paths: readonly string[]): readonly string[] {
  const patches: readonly PlacedPatch[] = paths.map((path, at) => ({
    ...{patch: {fromFieldPath: 'spec.a', toFieldPath: path}, place: ['patches', at]},
  }))
  const findings = baseFindings(base, {composite: undefined, composed, patches, place: ['base']})
  return findings.map(({message}) => message)
}

describe('patches of one resource', () => {
  it.each<{name: string; paths: readonly string[]; want: readonly string[]}>([
    {name: 'one beyond the end', paths: ['spec.l[2].a'], want: ['spec.l: the items before 2 are null']},
    {name: 'the list by another one', paths: ['spec.l[2].a', 'spec.l'], want: []},
    {name: 'what is around it by another one', paths: ['spec.l[2].a', 'spec'], want: []},
    {name: 'items by both', paths: ['spec.l[2].a', 'spec.l[1].a'], want: []},
    {
      name: 'lists with the same beginning',
      paths: ['spec.l[2].a', 'spec.li[2].a'],
      want: ['spec.l: the items before 2 are null', 'spec.li: the items before 2 are null'],
    },
  ])('write to a list: $name', ({paths, want}) => {
    expect(found({spec: {}}, ...paths)).toEqual(want)
  })

  it('are compared in linear time', () => {
    const paths = Array.from({length: 20_000}, (_, at) => `spec.l${at}[1].a`)
    const start = performance.now()
    expect(found({spec: {}}, ...paths)).toHaveLength(20_000)
    // Compared with each other, they took minutes.
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
