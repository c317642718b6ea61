import {describe, expect, it} from '@jest/globals'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {lintXpkg} from '../../../src/author/lint/lint-xpkg.js'
import {COMPOSITION, CRD, metadata, WITH_FUNCTION, XRD} from '../../../src/author/lint/rules/xpkg-examples.js'

const rules = schemaRules()

/** The rules and lines of all errors of a package. */
function errorsOf(kind: 'Provider' | 'Configuration', ...objects: readonly string[]): readonly string[] {
  const meta = kind === 'Provider' ? metadata('Provider') : WITH_FUNCTION
  const files = [meta, ...objects].map((text, index) => ({
    path: index === 0 ? 'crossplane.yaml' : `${index}.yaml`,
    bytes: Buffer.from(text),
  }))
  return lintXpkg({files, rules})
    .filter(({severity}) => severity === 'error')
    .map(({rule, field}) => `${rule} ${field}`)
}

/** The root schema of `CRD` and `XRD` with a field `spec`, in the flow style. */
function withSpec(object: string, spec: string): string {
  return `${object}        properties:\n          spec: ${spec}\n`
}

const SPEC = 'spec.versions[0].schema.openAPIV3Schema.properties.spec'

describe('CRDs that an API server rejects', () => {
  it.each([
    {name: 'a list without items', spec: '{type: array}', at: `${SPEC}.items`},
    {name: 'no type', spec: '{properties: {a: {type: string}}}', at: `${SPEC}.type`},
    {name: 'an invalid pattern', spec: '{type: string, pattern: "["}', at: `${SPEC}.pattern`},
    {name: 'a default of another type', spec: '{type: string, default: 5}', at: `${SPEC}.default`},
    {
      name: 'a rule with an unknown field',
      spec: '{type: object, x-kubernetes-validations: [{rule: "has(self.b)"}], properties: {a: {type: string}}}',
      at: `${SPEC}.x-kubernetes-validations[0].rule`,
    },
    {
      name: 'a rule that is not CEL',
      spec: '{type: object, x-kubernetes-validations: [{rule: "self.a ==="}], properties: {a: {type: string}}}',
      at: `${SPEC}.x-kubernetes-validations[0].rule`,
    },
  ])('$name', ({spec, at}) => {
    expect(errorsOf('Provider', withSpec(CRD, spec))).toEqual([`crd-refused ${at}`])
  })

  it.each([
    {name: 'a scope in lowercase', from: 'scope: Namespaced', to: 'scope: namespaced', at: 'spec.scope'},
    {name: 'no stored version', from: 'storage: true', to: 'storage: false', at: 'spec.versions'},
    {
      name: 'unknown fields that are kept everywhere',
      from: '  scope: Namespaced',
      to: '  preserveUnknownFields: true\n  scope: Namespaced',
      at: 'spec.preserveUnknownFields',
    },
    {name: 'another name', from: 'name: widgets.example.org', to: 'name: widgets', at: 'metadata.name'},
  ])('$name', ({from, to, at}) => {
    expect(errorsOf('Provider', CRD.replace(from, to))).toContain(`crd-refused ${at}`)
  })
})

describe('XRDs that an API server rejects, or the CRDs of them', () => {
  const spec = (fields: string) => withSpec(XRD, `{type: object, properties: ${fields}}`)

  it.each([
    {
      name: 'a list without items',
      xrd: spec('{list: {type: array}}'),
      want: `xpkg-crd-refused ${SPEC}.properties.list.items`,
    },
    {
      name: 'no type',
      xrd: spec('{a: {properties: {b: {type: string}}}}'),
      want: `xpkg-crd-refused ${SPEC}.properties.a.type`,
    },
    {
      name: 'a rule about a field that only Crossplane adds at another place',
      xrd: withSpec(XRD, '{type: object, x-kubernetes-validations: [{rule: "has(self.compositionRef)"}]}'),
      want: `xpkg-crd-refused ${SPEC}.x-kubernetes-validations[0].rule`,
    },
    {
      name: 'connection secrets, which v2 does not have',
      xrd: XRD.replace('  scope:', '  connectionSecretKeys: [a]\n  scope:'),
      want: 'xpkg-object-refused spec',
    },
    {
      name: 'a scope in lowercase',
      xrd: XRD.replace('scope: Namespaced', 'scope: namespaced'),
      want: 'xpkg-object-refused spec.scope',
    },
    {
      name: 'a policy in lowercase',
      xrd: XRD.replace('/v2', '/v1').replace(
        'scope: Namespaced',
        'defaultCompositionUpdatePolicy: automatic',
      ),
      want: 'xpkg-object-refused spec.defaultCompositionUpdatePolicy',
    },
    {
      name: 'claims with the name of the composite resource',
      xrd: XRD.replace('/v2', '/v1').replace(
        'scope: Namespaced',
        'claimNames: {kind: Database, plural: claims}',
      ),
      want: 'xpkg-crd-refused spec.claimNames.kind',
    },
    {
      name: 'no schema',
      xrd: XRD.replace(/ {4}schema:\n.*\n.*\n/, ''),
      want: `xpkg-crd-refused spec.versions[0].schema.openAPIV3Schema`,
    },
    {
      name: 'no referenceable version',
      xrd: XRD.replace('referenceable: true', 'referenceable: false'),
      want: 'xpkg-crd-refused spec.versions',
    },
    {
      name: 'another name',
      xrd: XRD.replace('name: databases.example.org', 'name: databases'),
      want: 'xpkg-xrd-name metadata.name',
    },
    {
      name: 'an invalid label',
      xrd: XRD.replace('metadata:', 'metadata:\n  labels: {team: "a b"}'),
      want: 'xpkg-object-refused metadata.labels.team',
    },
  ])('$name', ({xrd, want}) => {
    expect(errorsOf('Configuration', xrd)).toContain(want)
  })

  it('accepts a rule about a field that Crossplane adds', () => {
    const rule =
      'x-kubernetes-validations: [{rule: "!has(self.crossplane) || !has(self.crossplane.compositionRef)"}]'
    expect(errorsOf('Configuration', withSpec(XRD, `{type: object, ${rule}}`))).toEqual([])
  })
})

const CRON = `apiVersion: ops.crossplane.io/v1alpha1
kind: CronOperation
metadata: {name: nightly}
spec:
  schedule: "0 1 * * *"
  operationTemplate:
    spec:
      mode: Pipeline
      pipeline:
      - step: a
        functionRef: {name: crossplane-contrib-function-patch-and-transform}
`

describe('Compositions and operations that an API server rejects', () => {
  const step =
    '  - step: resources\n    functionRef:\n      name: crossplane-contrib-function-patch-and-transform\n'

  it.each([
    {name: 'two steps of one name', object: COMPOSITION + step, want: 'xpkg-object-refused spec.pipeline[1]'},
    {
      name: 'no function',
      object: `${COMPOSITION}  - step: b\n`,
      want: 'xpkg-object-refused spec.pipeline[1].functionRef',
    },
    {
      name: 'no name of a step',
      object: COMPOSITION.replace('step:', 'name:'),
      want: 'xpkg-object-refused spec.pipeline[0].step',
    },
    {
      name: 'credentials of a secret that is not named',
      object: `${COMPOSITION}    credentials: [{name: c, source: Secret}]\n`,
      want: 'xpkg-object-refused spec.pipeline[0].credentials[0]',
    },
    {
      name: 'an input that is not a resource',
      object: `${COMPOSITION}    input: {a: 1}\n`,
      want: 'xpkg-object-refused spec.pipeline[0].input.apiVersion',
    },
    {
      name: 'a mode of before',
      object: COMPOSITION.replace('mode: Pipeline', 'mode: Resources'),
      want: 'xpkg-composition spec.mode',
    },
    {
      name: 'no schedule',
      object: CRON.replace(/ {2}schedule.*\n/, ''),
      want: 'xpkg-object-refused spec.schedule',
    },
    {
      name: 'nothing to watch',
      object: CRON.replace('CronOperation', 'WatchOperation').replace(/ {2}schedule.*\n/, ''),
      want: 'xpkg-object-refused spec.watch',
    },
    {
      name: 'an activation policy that activates nothing',
      object:
        'apiVersion: apiextensions.crossplane.io/v1alpha1\nkind: ManagedResourceActivationPolicy\nmetadata: {name: a}\nspec: {}\n',
      want: 'xpkg-object-refused spec.activate',
    },
  ])('$name', ({object, want}) => {
    expect(errorsOf('Configuration', XRD, object)).toContain(want)
  })

  it('accepts those that are complete', () => {
    expect(errorsOf('Configuration', XRD, COMPOSITION, CRON)).toEqual([])
  })
})
