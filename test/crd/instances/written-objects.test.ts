import {describe, expect, it} from '@jest/globals'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {checkWritten} from '../../../src/crd/instances/check-object.js'
import {judgeObject} from '../../../src/usage/objects/object-findings.js'
import {renderedFindings} from '../../../src/usage/validation/composition/render/judge-rendered.js'
import type {RenderedResource} from '../../../src/usage/validation/composition/render/render-steps.js'
import type {JsonObject, JsonValue} from '../../../src/yaml/json-value.js'

const RULE = 'x-kubernetes-validations'
const schemaWith = (rules: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: {
    spec: {type: 'object', properties: {size: {type: 'integer'}}, [RULE]: rules},
    status: {type: 'object', required: ['b'], properties: {a: {type: 'integer'}, b: {type: 'string'}}},
  },
  ...more,
})
const SCHEMA = schemaWith([{rule: 'self.size < 10'}])
const judge = {rules: schemaRules()}

const errorsOf = (object: JsonObject, hasStatus = true, schema = SCHEMA) =>
  checkWritten(object, {schema, hasStatus}, judge).errors.map(
    ({keyword, place}) => `${keyword} ${place.join('.')}`,
  )

const STATUSES: readonly {readonly name: string; readonly status: JsonValue}[] = [
  {name: 'a value of another type', status: {a: 'text', b: 'c'}},
  {name: 'a required field', status: {a: 1}},
  {name: 'itself', status: 'text'},
]

describe('a status that is a subresource', () => {
  it.each(STATUSES)('hides no rule by an error of it: $name', ({status}) => {
    expect(errorsOf({spec: {size: 100}, status})).toEqual([`${RULE} spec`])
    expect(errorsOf({spec: {size: 1}, status})).toEqual([])
  })

  it('is searched for unknown fields', () => {
    expect(errorsOf({spec: {size: 100}, status: {c: 1}})).toEqual(['unknown status.c', `${RULE} spec`])
  })

  it('is missing where it is required, and has no defaults', () => {
    const required = schemaWith([], {required: ['status']})
    expect(errorsOf({spec: {}, status: {b: 'c'}}, true, required)).toEqual(['required status'])
    const unset = schemaWith([], {[RULE]: [{rule: '!has(self.status)'}]})
    expect(errorsOf({spec: {}, status: {b: 'c'}}, true, unset)).toEqual([])
  })

  it.each(STATUSES)('hides no rule of a composed resource by an error of it: $name', ({status}) => {
    const object = {apiVersion: 'a.example/v1', kind: 'A', metadata: {name: 'a'}, spec: {size: 100}, status}
    const resource = {object, place: [], writes: [], skipped: [], open: []} as unknown as RenderedResource
    const kind = {schema: SCHEMA, isNamespaced: true, hasStatus: true, isStored: true}
    const findings = renderedFindings(resource, kind, {isNamespaced: true, judge})
    expect(findings.map(({message}) => message)).toEqual(['spec: it must satisfy self.size < 10'])
  })

  it.each(STATUSES)('leaves the verdict of an added rule as it is: $name', ({status}) => {
    const change = {rule: 'rule-added', effect: 'rejected', path: 'spec', after: 'self.size < 10'}
    const pair = {
      before: {schema: schemaWith([]), hasStatus: true},
      after: {schema: SCHEMA, hasStatus: true},
      changes: [change],
    } as unknown as Parameters<typeof judgeObject>[1]
    const verdicts = [1, 100].map(size =>
      judgeObject({spec: {size}, status}, pair, judge).findings.map(({verdict}) => verdict),
    )
    const without = [1, 100].map(size =>
      judgeObject({spec: {size}}, pair, judge).findings.map(({verdict}) => verdict),
    )
    expect(verdicts).toEqual(without)
    expect(verdicts[1]).toContain('breaks')
  })
})

describe('a status that is no subresource', () => {
  it.each(STATUSES)('is judged as the rest: $name', ({status}) => {
    expect(errorsOf({spec: {size: 100}, status}, false)).toEqual([
      expect.stringMatching(/^(?:type|required) status/),
    ])
  })
})
