import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {convertCrd} from '../../../src/crd/convert/convert-crd.js'
import {checkCrd} from '../../../src/crd/checks/check-crd.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {outcome} from '../../outcome.js'
import {v1beta1Crd} from './v1beta1-crd.js'
import {resourceSchema} from './v1beta1-schema.js'

const preserve: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject[]>(
  {},
  {preserveUnknownFields: true},
  {preserveUnknownFields: false},
)
const crd: fc.Arbitrary<KubernetesObject> = fc
  .tuple(resourceSchema, preserve, fc.option(resourceSchema, {nil: undefined}))
  .map(([schema, spec, other]) => {
    const second = {name: 'v2', served: true, storage: false, schema: {openAPIV3Schema: other ?? {}}}
    const versions = [{name: 'v1', served: true, storage: true}, second]
    return v1beta1Crd(schema, other === undefined ? spec : {...spec, versions})
  })

describe('any v1beta1 CRD', () => {
  it('is converted to a CRD that a server accepts, if unknown fields can be preserved', () => {
    fc.assert(
      fc.property(crd, source => {
        const before = structuredClone(source)
        const {crd: converted} = convertCrd(source, {nonStructural: 'preserve'})
        expect(checkCrd(converted)).toEqual([])
        expect(source).toEqual(before)
      }),
      {numRuns: 150},
    )
  })

  it('is rejected exactly if unknown fields must be preserved', async () => {
    await fc.assert(
      fc.asyncProperty(crd, async source => {
        const {notes} = convertCrd(source, {nonStructural: 'preserve'})
        const refused = await outcome(() => convertCrd(source, {nonStructural: 'refuse'}).notes.length)
        const fellBack = notes.some(({rule}) => rule === 'fallback')
        expect(refused).toEqual(fellBack ? 'package-invalid' : notes.length)
      }),
      {numRuns: 100},
    )
  })
})
