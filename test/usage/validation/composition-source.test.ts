import {describe, expect, it} from '@jest/globals'
import {goPatterns} from '../../../src/adapters/cel/match-pattern.js'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {crdOf, documentsOf, validated} from './composition-fixtures.js'

/*
 * Compositions that function-patch-and-transform v0.10.8 was run with: the answers are those of the function itself, and of an API server
 * for what it returns.
 */

const definition = (scope: string) => `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata: {name: shops.town.example}
spec:
  group: town.example
  scope: ${scope}
  names: {kind: Shop, plural: shops}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              k: {type: integer}
              f: {type: number}
              t: {type: string}
              o: {type: object, nullable: true, properties: {a: {type: string}}}
              m: {type: object, additionalProperties: {type: string}}
              l: {type: array, items: {type: string}}
              any: {type: object, x-kubernetes-preserve-unknown-fields: true}
          status: {type: object, properties: {k: {type: integer}, t: {type: string}}}
---
${crdOf({
  kind: 'Oven',
  scope: 'Namespaced',
  spec: `
            properties:
              label: {type: string, pattern: '^[a-z][a-z0-9-]*$'}
              one: {type: string, enum: [a]}
              m: {type: object, additionalProperties: {type: string}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}`,
  status: 'phase: {type: string}',
})}`

interface Parts {
  readonly patches?: string
  readonly spec?: string
  readonly base?: string
  readonly more?: string
  readonly input?: string
  readonly scope?: string
}

/** Rule and place of each finding, within the input or the resource. */
function found({patches = '', spec = '{}', base = '{}', more = '', input = '', scope = 'Namespaced'}: Parts) {
  const text = `${definition(scope)}apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: plan}
spec:
  compositeTypeRef: {apiVersion: town.example/v1, kind: Shop}
  mode: Pipeline
  pipeline:
  - step: parts
    functionRef: {name: fn-pt}
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      ${input}
      resources:
      - {name: oven, base: {apiVersion: kit.example/v1, kind: Oven, metadata: {namespace: town}, spec: ${base}}, patches: [${patches}], ${more}}
---
apiVersion: town.example/v1
kind: Shop
metadata: {name: one${scope === 'Namespaced' ? ', namespace: town' : ''}}
spec: ${spec}
---
apiVersion: kit.example/v1
kind: Oven
metadata: {name: oven, namespace: town, annotations: {crossplane.io/composition-resource-name: oven}}
status: {phase: Warm}
`
  const {findings, unread} = validated(text, goPatterns())
  expect(unread).toEqual([])
  return findings.map(({rule, path = ''}) =>
    `${rule} ${path.replace(/^spec\.pipeline\[0\]\.input\.(?:resources\[0\]\.)?/, '')}`.trim(),
  )
}

const from = (source: string, target: string, more = '') =>
  `{type: FromCompositeFieldPath, fromFieldPath: "${source}", toFieldPath: "${target}"${more}}`
const through = (source: string, target: string, transform: string) =>
  from(source, target, `, transforms: [${transform}]`)
const format = (fmt: string) => `{type: string, string: {type: Format, fmt: '${fmt}'}}`
const combined = (parts: string, more = '') =>
  `{type: CombineFromComposite, toFieldPath: spec.label, combine: {${parts}}${more}}`
const merged = (policy: string) => `, policy: {toFieldPath: ${policy}}`
const DETAILS = 'connectionDetails: [{name: a, type: FromValue, value: b}]'
const secret = (text: string) => `writeConnectionSecretToRef: {${text}}`
const toName = (more: string) => `patches: [{fromFieldPath: spec.t, toFieldPath: name${more}}]`
const NUMBER = ', transforms: [{type: convert, convert: {toType: int64}}]'
const environment = (patch: string) => `environment: {patches: [${patch}]}`

const WORKING: Readonly<Record<string, Parts>> = {
  'a field of a null': {patches: from('spec.o.a', 'spec.label'), spec: '{o: null}'},
  'a number in quotes as a key': {patches: from('spec.t', "spec.m['1']"), spec: '{t: a}'},
  'a number in quotes as a key that is read': {
    patches: from("spec.m['1']", 'spec.label'),
    spec: "{m: {'1': abc}}",
  },
  'a policy about the source of a combined value that does not exist': {
    patches: combined(
      "strategy: string, variables: [{fromFieldPath: spec.t}], string: {fmt: '%s'}",
      ', policy: {fromFieldPath: Maybe}',
    ),
    spec: '{t: a}',
  },
  'a combination in a patch that combines nothing': {
    patches: from('spec.t', 'spec.label', ', combine: {strategy: other}'),
    spec: '{t: a}',
  },
  'a combination without a format': {
    patches: `{type: CombineFromComposite, toFieldPath: spec.free.a, combine: {strategy: string, variables: [{fromFieldPath: spec.t}], string: {}}}`,
    spec: '{t: a}',
  },
  'a fallback to the input with a value that is null': {
    patches: through(
      'spec.t',
      'spec.label',
      '{type: match, match: {patterns: [{type: literal, literal: b, result: c}], fallbackTo: Input, fallbackValue: null}}',
    ),
    spec: '{t: a}',
  },
  'a null in a map that is not used': {
    patches: through('spec.t', 'spec.label', '{type: map, map: {a: null, b: c}}'),
    spec: '{t: b}',
  },
  'an object that does not replace the text of the base': {
    patches: from('spec.o', 'spec.label', merged('MergeObjects')),
    base: '{label: b}',
    spec: '{o: {a: b}}',
  },
  'whole numbers in the environment of a step': {
    input: environment(from('spec.k', 'size')),
    patches: `{type: FromEnvironmentFieldPath, fromFieldPath: size, toFieldPath: spec.label, transforms: [${format('a-%d')}]}`,
    spec: '{k: 7}',
  },
  'a check that reads no path': {more: 'readinessChecks: [{type: None, fieldPath: status.none.a}]'},
  'an empty path of a check': {more: "readinessChecks: [{type: NonEmpty, fieldPath: ''}]"},
  'a signed format of a text': {patches: through('spec.t', 'spec.label', format('%+v')), spec: '{t: a}'},
  'a number between two even ones': {
    patches: through('spec.f', 'spec.free.out', format('%.0f')),
    spec: '{f: 2.5}',
  },
  'an optional patch of a Secret that fails': {
    more: DETAILS,
    input: secret(`name: a, ${toName(NUMBER)}`),
    spec: '{t: a}',
  },
  'a number as the name of a Secret': {
    more: DETAILS,
    input: secret('name: a, patches: [{fromFieldPath: spec.k, toFieldPath: name}]'),
    spec: '{k: 5}',
  },
  'patches of a Secret without details': {
    input: secret('patches: [{type: FromEnvironmentFieldPath, fromFieldPath: a}]'),
  },
  'a Secret of a resource of cluster scope': {
    scope: 'Cluster',
    more: DETAILS,
    input: secret('name: keys, namespace: town'),
  },
}

const FAILING: Readonly<Record<string, Parts & {readonly want: readonly string[]}>> = {
  'an index of an object': {
    patches: from('spec.t', 'spec.m[1]'),
    want: ['path-unknown patches[0].toFieldPath'],
  },
  'a bracket in brackets': {
    patches: from('spec.m[a[b]]', 'spec.label'),
    want: ['path-unknown patches[0].fromFieldPath'],
  },
  'a combination of nothing': {
    patches: combined('strategy: string, variables: [], string: {fmt: a}'),
    want: ['input-invalid patches[0].combine.variables'],
  },
  'a variable without a path': {
    patches: combined('strategy: string, variables: [{}], string: {fmt: a}'),
    want: ['input-invalid patches[0].combine.variables[0].fromFieldPath'],
  },
  'a replacement of nothing': {
    patches: through(
      'spec.t',
      'spec.label',
      '{type: string, string: {type: Replace, replace: {replace: a}}}',
    ),
    want: ['input-invalid patches[0].transforms[0].string.replace.search'],
  },
  'an empty format of a conversion': {
    patches: through('spec.t', 'spec.label', "{type: convert, convert: {toType: string, format: ''}}"),
    want: ['input-invalid patches[0].transforms[0].convert.format'],
  },
  'a null in a map': {
    patches: through('spec.t', 'spec.label', '{type: map, map: {a: null}}'),
    spec: '{t: a}',
    want: ['patch-failed patches[0].transforms[0]'],
  },
  'a combination from the environment in the environment': {
    input: environment(
      "{type: CombineFromEnvironment, toFieldPath: status.t, combine: {strategy: string, variables: [{fromFieldPath: a}], string: {fmt: '%s'}}}",
    ),
    want: ['input-invalid environment.patches[0].type'],
  },
  'a patch set in the environment': {
    input: environment('{type: PatchSet}'),
    want: ['input-invalid environment.patches[0].type'],
  },
  'a list that is appended to a text': {
    patches: from('spec.any', 'spec.free', merged('ForceMergeObjectsAppendArrays')),
    base: '{free: {a: text}}',
    spec: '{any: {a: [1]}}',
    want: ['patch-failed patches[0].toFieldPath'],
  },
  'an empty text that replaces another': {
    patches: from('spec.t', 'spec.one', merged('ForceMergeObjects')),
    base: '{one: a}',
    spec: "{t: ''}",
    want: ['invalid patches[0].toFieldPath'],
  },
  'a text in quotes': {
    patches: through('spec.t', 'spec.label', format('%q')),
    spec: '{t: a}',
    want: ['invalid patches[0].toFieldPath'],
  },
  'a percent sign at the end': {
    patches: through('spec.t', 'spec.label', format('%s%')),
    spec: '{t: a}',
    want: ['invalid patches[0].toFieldPath'],
  },
  'a percent sign before a word': {
    patches: through('spec.t', 'spec.label', format('a100% of %s')),
    spec: '{t: a}',
    want: ['invalid patches[0].toFieldPath'],
  },
  'a number of each item': {
    patches: through('spec.l', 'spec.label', format('a%d')),
    spec: '{l: [a]}',
    want: ['invalid patches[0].toFieldPath'],
  },
  'a patch of a Secret of a type that it does not have': {
    more: DETAILS,
    input: secret('patches: [{type: FromEnvironmentFieldPath, fromFieldPath: a, toFieldPath: name}]'),
    want: ['input-invalid writeConnectionSecretToRef.patches[0].type'],
  },
  'a required name of a Secret that is missing': {
    more: DETAILS,
    input: secret(toName(', policy: {fromFieldPath: Required}')),
    want: ['patch-failed writeConnectionSecretToRef.patches[0].fromFieldPath'],
  },
  'a combined name of a Secret of which a variable is missing': {
    more: DETAILS,
    input: secret(
      "patches: [{type: CombineFromComposite, toFieldPath: name, combine: {strategy: string, variables: [{fromFieldPath: spec.t}], string: {fmt: '%s'}}}]",
    ),
    want: ['patch-failed writeConnectionSecretToRef.patches[0].combine.variables'],
  },
  'a name that is none of a Secret': {
    more: DETAILS,
    input: secret(toName('')),
    spec: '{t: Bad Name}',
    want: ['invalid writeConnectionSecretToRef.patches[0].toFieldPath'],
  },
  'a Secret of a resource of cluster scope without a namespace': {
    scope: 'Cluster',
    more: DETAILS,
    want: ['scope-mismatch writeConnectionSecretToRef'],
  },
}

const FIRST = {
  ...{spec: {group: 'town.example', scope: 'Namespaced', names: {kind: 'Shop', plural: 'shops'}}},
  ...{apiVersion: 'apiextensions.crossplane.io/v2', kind: 'CompositeResourceDefinition'},
  metadata: {name: 'shops.town.example'},
}
const version = (name: string, referenceable: boolean) => ({name, served: true, referenceable, schema: {}})
const xrd = (more: object) => ({
  ...FIRST,
  spec: {...FIRST.spec, versions: [version('v1', true), version('v2', false)], ...more},
})
const plan = (apiVersion: string, more: object = {}, step: object = {}) => ({
  ...{apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', metadata: {name: 'plan'}},
  spec: {
    compositeTypeRef: {apiVersion, kind: 'Shop'},
    ...{mode: 'Pipeline', pipeline: [{step: 'a', functionRef: {name: 'function-auto-ready'}, ...step}]},
    ...more,
  },
})

const REFUSED: Readonly<Record<string, readonly [object, readonly string[]]>> = {
  'a Composition that is accepted': [plan('town.example/v1'), []],
  'a field that Compositions do not have': [
    plan('town.example/v1', {pipelines: []}),
    ['unknown-field spec.pipelines'],
  ],
  'a misspelled reference of a step': [
    plan('town.example/v1', {}, {functionRef: undefined, functionref: {name: 'a'}}),
    ['invalid spec.pipeline[0].functionRef', 'unknown-field spec.pipeline[0].functionref'],
  ],
  'credentials of an unknown source': [
    plan('town.example/v1', {}, {credentials: [{name: 'a', source: 'Vault'}]}),
    ['invalid spec.pipeline[0].credentials[0].source'],
  ],
  'claims of an XRD of v2': [xrd({claimNames: {kind: 'Stall', plural: 'stalls'}}), ['rule-violated spec']],
  'a scope of Crossplane v1': [xrd({scope: 'LegacyCluster'}), ['invalid spec.scope']],
  'a field that XRDs do not have': [xrd({claimName: {}}), ['unknown-field spec.claimName']],
  'a setting of Crossplane v1': [
    plan('town.example/v1', {publishConnectionDetailsWithStoreConfigRef: {name: 'default'}}),
    [],
  ],
}

describe('definitions that Crossplane refuses', () => {
  it.each(Object.entries(REFUSED))('are reported: %s', (_, [object, want]) => {
    const isXrd = 'kind' in object && object.kind === 'CompositeResourceDefinition'
    const text = documentsOf([...(isXrd ? [] : [xrd({})]), object])
    const {findings} = validated(text, {...goPatterns(), rules: schemaRules()})
    expect(findings.map(({rule, path}) => `${rule} ${path}`).sort()).toEqual(want)
  })
})

describe('Compositions that the function was run with', () => {
  it.each(Object.entries(WORKING))('report nothing for %s', (_, parts) => {
    expect(found(parts)).toEqual([])
  })

  it.each(Object.entries(FAILING))('report %s', (_, {want, ...parts}) => {
    expect(found(parts)).toEqual(want)
  })
})
