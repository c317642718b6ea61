import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const home = temporaryFolder()

const text = {type: 'string'}
const struct = (properties: JsonObject) => ({type: 'object', properties})

/** A kind that Compositions compose, or the composite resource, before and after an upgrade. */
interface Story {
  readonly name: string
  /** The fields of `spec` of the composed kind. */
  readonly old: JsonObject
  readonly now: JsonObject
  /** What the Composition has of them. */
  readonly base?: JsonObject
  readonly patches?: readonly JsonValue[]
  /** `RULE PATH` within the resource of the Composition, after the upgrade. */
  readonly want: readonly string[]
}

/** The fields of the composite resource. */
const COMPOSITE: JsonObject = {
  public: {type: 'boolean'},
  size: {type: 'integer'},
  zone: text,
  rules: {type: 'array', items: struct({port: {type: 'integer'}})},
}

const patch = (from: string, to: string, more: JsonObject = {}) => ({
  ...{type: 'FromCompositeFieldPath', fromFieldPath: from, toFieldPath: to, ...more},
})

const STORIES: readonly Story[] = [
  {
    name: 'a field of a base is removed',
    old: {network: struct({zone: text, id: text})},
    now: {network: struct({id: text})},
    base: {network: {zone: 'a', id: 'b'}},
    want: ['unknown-field base.spec.network.zone'],
  },
  {
    name: 'a field that a patch writes is removed',
    old: {zone: text},
    now: {},
    patches: [patch('spec.zone', 'spec.zone')],
    want: ['path-unknown patches[0].toFieldPath'],
  },
  {
    name: 'a field that a patch reads is removed',
    old: {zone: text},
    now: {},
    patches: [{type: 'ToCompositeFieldPath', fromFieldPath: 'spec.zone', toFieldPath: 'status.zone'}],
    want: ['path-unknown patches[0].fromFieldPath'],
  },
  {
    name: 'a boolean of a base becomes text',
    old: {public: {type: 'boolean'}},
    now: {public: text},
    base: {public: true},
    want: ['invalid base.spec.public'],
  },
  {
    name: 'a boolean that a patch writes becomes text',
    old: {public: {type: 'boolean'}},
    now: {public: text},
    patches: [patch('spec.public', 'spec.public')],
    want: ['type-mismatch patches[0]'],
  },
  {
    name: 'a boolean that a transform makes becomes text',
    old: {public: {type: 'boolean'}},
    now: {public: text},
    patches: [
      patch('spec.zone', 'spec.public', {transforms: [{type: 'convert', convert: {toType: 'bool'}}]}),
    ],
    want: ['type-mismatch patches[0]'],
  },
  {
    name: 'a list of a base can no longer be read',
    old: {rules: {type: 'array', items: struct({port: {type: 'integer'}})}},
    now: {rules: struct({port: {type: 'integer'}})},
    base: {rules: [{port: 80}]},
    want: ['invalid base.spec.rules', 'unknown-field base.spec.rules[0].port'],
  },
  {
    name: 'a list that a patch writes can no longer be read',
    old: {rules: {type: 'array', items: struct({port: {type: 'integer'}})}},
    now: {rules: struct({port: {type: 'integer'}})},
    patches: [patch('spec.rules', 'spec.rules')],
    want: ['type-mismatch patches[0]'],
  },
  {
    name: 'an item that a patch writes is in no list',
    old: {rules: {type: 'array', items: struct({port: {type: 'integer'}})}},
    now: {rules: struct({port: {type: 'integer'}})},
    patches: [patch('spec.size', 'spec.rules[0].port')],
    want: ['path-unknown patches[0].toFieldPath'],
  },
  {
    name: 'a field becomes required',
    old: {size: {type: 'integer'}},
    now: {size: {type: 'integer'}, '!': {}},
    base: {},
    want: ['required-unset base.spec.size'],
  },
]

const meta = (kind: string, name: string) =>
  JSON.stringify({apiVersion: 'meta.pkg.crossplane.io/v1', kind, metadata: {name}})

/** A field with the name `!` makes the field `size` required. */
function crd({'!': isRequired, ...fields}: JsonObject, version = 'v1'): string {
  const spec = {type: 'object', properties: fields, ...(isRequired === undefined ? {} : {required: ['size']})}
  const schema = {openAPIV3Schema: struct({spec})}
  return JSON.stringify({
    ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
    metadata: {name: 'dbs.example.org'},
    spec: {
      ...{group: 'example.org', scope: 'Cluster'},
      names: {kind: 'Db', plural: 'dbs', singular: 'db', listKind: 'DbList'},
      versions: [{name: version, served: true, storage: true, schema}],
    },
  })
}

const XRD = JSON.stringify({
  ...{apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositeResourceDefinition'},
  metadata: {name: 'xdbs.example.org'},
  spec: {
    ...{group: 'example.org', names: {kind: 'XDb', plural: 'xdbs'}},
    versions: [
      {
        ...{name: 'v1', served: true, referenceable: true},
        schema: {openAPIV3Schema: struct({spec: struct(COMPOSITE), status: struct({zone: text})})},
      },
    ],
  },
})

function composition(base: JsonObject, patches: readonly JsonValue[]): string {
  const resource = {name: 'db', base: {apiVersion: 'example.org/v1', kind: 'Db', spec: base}, patches}
  return JSON.stringify({
    ...{apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', metadata: {name: 'db'}},
    spec: {
      compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'XDb'},
      mode: 'Pipeline',
      pipeline: [
        {
          step: 'patch',
          functionRef: {name: 'function-patch-and-transform'},
          input: {apiVersion: 'pt.fn.crossplane.io/v1beta1', kind: 'Resources', resources: [resource]},
        },
      ],
    },
  })
}

/** The findings about files with a Provider of some version. */
async function found(at: string, tag: string): Promise<readonly string[]> {
  const declaration = join(at, `${tag}.yaml`)
  writeTree(at, {
    [`${tag}.yaml`]: `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
packages: [{package: 'registry.example.org/team/sql:${tag}'}]
`,
  })
  const packages = ['--packages', join(at, 'packages'), '--allow-unknown', 'pt.fn.crossplane.io']
  const {stdout, stderr} = await runCli(
    ...['package', 'validate', join(at, 'files'), '--declaration', declaration, ...packages, '-o', 'json'],
  )
  if (stdout === '') throw new Error(stderr)
  const {findings} = JSON.parse(stdout) as {findings: readonly {rule: string; path?: string}[]}
  return findings.map(({rule, path = ''}) => `${rule} ${path.replace(/^.*resources\[0\]\.?/, '')}`.trim())
}

function written(
  name: string,
  [old, now]: readonly [string, string],
  files: Readonly<Record<string, string>>,
) {
  return writeTree(join(home, name.replaceAll(' ', '-')), {
    'packages/team/sql@v1.0.0/crossplane.yaml': meta('Provider', 'sql'),
    'packages/team/sql@v1.0.0/crd.yaml': old,
    'packages/team/sql@v2.0.0/crossplane.yaml': meta('Provider', 'sql'),
    'packages/team/sql@v2.0.0/crd.yaml': now,
    'files/xrd.json': XRD,
    ...files,
  })
}

describe('a Composition of an XRD after an upgrade of a Provider', () => {
  it.each(STORIES)('is validated: $name', async ({name, old, now, base = {}, patches = [], want}) => {
    const at = written(name, [crd(old), crd(now)], {'files/composition.json': composition(base, patches)})
    expect({before: await found(at, 'v1.0.0'), after: await found(at, 'v2.0.0')}).toEqual({
      before: [],
      after: want,
    })
  })

  it('is validated: a version is no longer served', async () => {
    const at = written('unserved', [crd({}), crd({}, 'v2')], {
      'files/composition.json': composition({}, []),
    })
    expect(await found(at, 'v1.0.0')).toEqual([])
    expect(await found(at, 'v2.0.0')).toEqual(['not-served base'])
  })
})
