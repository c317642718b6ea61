import {describe, expect, it} from '@jest/globals'
import {composition, rulesOf, step, validated} from './composition-fixtures.js'

describe('a step of another function', () => {
  it('names the steps of other functions, after which any resource can exist', () => {
    const other =
      '{step: other, functionRef: {name: function-go}, input: {apiVersion: go.example/v1, kind: Input}}'
    const {findings, unread} = validated(composition(`${other}, ${step('resources: [{name: a}]')}`))
    expect(findings).toEqual([])
    expect(unread).toMatchObject([
      {path: 'spec.pipeline[0]', reason: 'the function function-go: its input is not validated'},
    ])
  })

  const LACKING = step(
    'resources: [{name: oven, base: {apiVersion: kit.example/v1, kind: Oven, spec: {}}, patches: [{fromFieldPath: spec.size, toFieldPath: spec.unheard}]}]',
  )
  const SHOP =
    '---\napiVersion: town.example/v1\nkind: Shop\nmetadata: {name: one, namespace: town}\nspec: {size: 1}\n'
  const after = (name: string) => composition(`${LACKING}, {step: b, functionRef: {name: ${name}}}`)

  it.each(['', SHOP])('can set what an earlier resource lacks, and nothing else %#', use => {
    expect(rulesOf(validated(after('function-kcl') + use))).toEqual(['path-unknown patches[0].toFieldPath'])
    expect(rulesOf(validated(after('function-auto-ready') + use))).toContain('required-unset base.spec.model')
  })

  it('can set the namespace of a resource, but not compose a kind of cluster scope for a namespaced one', () => {
    const cluster = (name: string) => after(name).replace('scope: Namespaced', 'scope: Cluster')
    expect(rulesOf(validated(cluster('function-kcl')))).not.toContain('scope-mismatch base')
    expect(rulesOf(validated(cluster('function-auto-ready')))).toContain('scope-mismatch base')
    const lot = after('function-kcl').replace('kind: Oven, spec: {}', 'kind: Lot, spec: {}')
    expect(rulesOf(validated(lot))).toContain('scope-mismatch base')
  })

  it('can set what values of a composite resource do not set', () => {
    const optional = (name: string) =>
      composition(
        `${step('resources: [{name: oven, base: {apiVersion: kit.example/v1, kind: Oven, spec: {}}, patches: [{fromFieldPath: spec.name, toFieldPath: spec.model}]}]')}, {step: b, functionRef: {name: ${name}}}`,
      ) + SHOP
    expect(rulesOf(validated(optional('function-kcl')))).toEqual([])
    expect(rulesOf(validated(optional('function-auto-ready')))).toEqual([
      'required-unset patches[0].fromFieldPath',
    ])
  })

  it('reads functions without resources and without an input completely', () => {
    const ready = '{step: ready, functionRef: {name: function-auto-ready}}'
    const made = step('resources: [{name: a}]')
    expect(validated(composition(`${ready}, ${made}`))).toMatchObject({
      findings: [{rule: 'input-invalid', path: 'spec.pipeline[1].input.resources[0]'}],
      unread: [],
    })
  })

  it('reads the kinds that a template names', () => {
    const text = ['Oven', 'Stove', 'Grill'].map(
      kind => `apiVersion: kit.example/v1\nkind: ${kind}\nspec: {{ .a }}`,
    )
    const input = {
      apiVersion: 'gotemplating.fn.crossplane.io/v1beta1',
      kind: 'GoTemplate',
      inline: {template: text.join('\n---\n')},
    }
    const other = composition(
      `{step: a, functionRef: {name: function-go-templating}, input: ${JSON.stringify(input)}}`,
    )
    expect(validated(other)).toMatchObject({
      findings: [
        {
          rule: 'no-schema',
          path: 'spec.pipeline[0].input',
          message: 'no package defines Stove of kit.example/v1',
        },
        {
          rule: 'no-schema',
          path: 'spec.pipeline[0].input',
          message: 'no package defines Grill of kit.example/v1',
        },
      ],
      unread: [{path: 'spec.pipeline[0]'}],
    })
    expect(validated(other, {allowUnknown: ['Stove', 'Grill']}).findings).toEqual([])
  })
})
