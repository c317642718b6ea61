import {describe, expect, it} from '@jest/globals'
import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const home = temporaryFolder()
const at = (path: string) => join(home, path)
const REPOSITORY = 'registry.example.org/team'

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dbs.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: dbs, kind: Db, singular: db, listKind: DbList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            x-kubernetes-validations:
            - {rule: self.size < 100, message: It is too large}
            - {rule: "!has(self.memory) || isQuantity(self.memory)"}
            properties: {size: {type: integer}, zone: {type: string, pattern: '^(?i)eu-[a-z]+$'}, memory: {type: string}, kind: {enum: [a, b], type: string}}
          status: {type: object, properties: {size: {type: integer}}}
  - {name: v0, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
`
const XRD = `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xnets.example.org}
spec:
  group: example.org
  names: {plural: xnets, kind: XNet}
  claimNames: {plural: nets, kind: Net}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {cidr: {type: string}}}}}}
`

writeTree(home, {
  'packages/team/sql@v1.0.0/crossplane.yaml':
    'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: a}\n',
  'packages/team/sql@v1.0.0/crd.yaml': CRD,
  'packages/team/net@v1.0.0/crossplane.yaml':
    'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: a}\n',
  'packages/team/net@v1.0.0/xrd.yaml': XRD,
  'packages/team/fn@v1.0.0/crossplane.yaml':
    'apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata: {name: a}\n',
  'packages/team/fn@v1.0.0/input.yaml': CRD.replaceAll('example.org', 'fn.example.org').replace(
    'kind: Db,',
    'kind: Input,',
  ),
  'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
packages:
- package: ${REPOSITORY}/sql
- package: ${REPOSITORY}/net
- package: ${REPOSITORY}/fn
`,
})

const FLAGS = ['--declaration', at('crossplane-packages.yaml'), '--packages', at('packages'), '--offline']

async function validate(paths: readonly string[], ...more: readonly string[]) {
  return await runCli('package', 'validate', ...paths, ...FLAGS, ...more)
}

interface Document {
  readonly findings: readonly {readonly rule: string; readonly path?: string}[]
  readonly unread: readonly Readonly<Record<string, unknown>>[]
  readonly validated: number
  readonly skipped: readonly unknown[]
}

/** Validates one file and returns its document. */
async function document(text: string, ...more: readonly string[]) {
  writeTree(home, {'objects.yaml': text})
  const {status, stdout, stderr} = await validate([at('objects.yaml')], '-o', 'json', ...more)
  expect(stderr).toBe('')
  const json = JSON.parse(stdout) as Document
  expect(schemaViolations(schemaOf('object-validation'), json)).toEqual([])
  return {status, ...json}
}

const object = (kind: string, body: string, apiVersion = 'example.org/v1') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n${body}\n`

interface ObjectCase {
  readonly name: string
  readonly in: string
  /** Rule and path of each finding. */
  readonly want: readonly string[]
}

const CASES: readonly ObjectCase[] = [
  {name: 'a valid object', in: object('Db', 'spec: {size: 1}'), want: []},
  {name: 'a wrong type', in: object('Db', 'spec: {size: big}'), want: ['invalid spec.size']},
  {name: 'a required field', in: object('Db', 'spec: {}'), want: ['invalid spec.size']},
  {name: 'an unknown field', in: object('Db', 'spec: {size: 1, x: 2}'), want: ['unknown-field spec.x']},
  {name: 'an enum', in: object('Db', 'spec: {size: 1, kind: c}'), want: ['invalid spec.kind']},
  {name: 'a pattern of Go', in: object('Db', 'spec: {size: 1, zone: EU-west}'), want: []},
  {name: 'a pattern of Go', in: object('Db', 'spec: {size: 1, zone: us}'), want: ['invalid spec.zone']},
  {name: 'a rule in CEL', in: object('Db', 'spec: {size: 100}'), want: ['rule-violated spec']},
  {name: 'a status, which is ignored', in: object('Db', 'spec: {size: 1}\nstatus: {size: big}'), want: []},
  {
    name: 'an unknown field of a status',
    in: object('Db', 'spec: {size: 1}\nstatus: {x: 1}'),
    want: ['unknown-field status.x'],
  },
  {name: 'a version that is not served', in: object('Db', '', 'example.org/v0'), want: ['not-served']},
  {name: 'a kind without a schema', in: object('Other', '', 'other.org/v1'), want: ['no-schema']},
  {name: 'a misspelled built-in kind', in: object('Deploymnt', '', 'apps/v1'), want: ['no-schema']},
  {name: 'a composite resource', in: object('XNet', 'spec: {cidr: 1}'), want: ['invalid spec.cidr']},
  {
    name: 'a claim with the fields that Crossplane adds',
    in: object('Net', 'spec: {cidr: a, compositionRef: {name: x}, writeConnectionSecretToRef: {name: x}}'),
    want: [],
  },
  {
    name: 'a number as a label',
    in: object('Db', 'spec: {size: 1}').replace('{name: a}', '{name: a, labels: {b: 1}}'),
    want: ['invalid metadata.labels.b'],
  },
  {
    name: 'an object without a name',
    in: object('Db', 'spec: {size: 1}').replace('{name: a}', '{}'),
    want: ['invalid metadata.name'],
  },
  {
    name: 'an object of a definition in the same file',
    in: `${CRD.replaceAll('example.org', 'own.org')}---\n${object('Db', 'spec: {size: a}', 'own.org/v1')}`,
    want: ['invalid spec.size'],
  },
  {
    name: 'an item of a List',
    in: `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: example.org/v1, kind: Db, metadata: {name: a}, spec: {}}\n`,
    want: ['invalid spec.size'],
  },
]

describe('package validate', () => {
  it.each(CASES)('$name: $want', async ({in: text, want}) => {
    const {findings, status} = await document(text)
    const rules = findings.map(({rule, path}) => [rule, path].filter(part => part !== undefined).join(' '))
    expect({rules, status}).toEqual({rules: want, status: want.length === 0 ? 0 : 1})
  })

  it('reports file and line, and counts what it does not validate', async () => {
    writeTree(home, {
      'mixed/a.yaml': `${object('Db', 'spec:\n  size: big')}---\n${object('ConfigMap', '', 'v1')}`,
      'mixed/b.yaml': object('EnvironmentConfig', '', 'apiextensions.crossplane.io/v1beta1'),
      'mixed/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n',
      'mixed/chart/Chart.yaml': 'name: a\n',
      'mixed/chart/templates/a.yaml': 'apiVersion: {{ .Values.a }}\n',
    })
    const {status, stdout} = await validate([at('mixed')])
    expect(status).toBe(1)
    expect(stdout.replaceAll(home, 'HOME').split('\n')).toEqual([
      'error  HOME/mixed/a.yaml:5: Db a: spec.size: it must be of type integer, not string [invalid]',
      'unread HOME/mixed/chart/templates/a.yaml: it is a template of a Helm chart',
      '1 object validated; 1 error; 1 unread; 1 object of Kubernetes not validated (1 ConfigMap); 1 object of Crossplane not validated (1 EnvironmentConfig)',
      '',
    ])
    const annotations = await validate([at('mixed')], '-o', 'github')
    expect(annotations.stdout.replaceAll(home, 'HOME').split('\n')).toEqual([
      '::error title=invalid::HOME/mixed/a.yaml:5: Db a: spec.size: it must be of type integer, not string',
      '::notice title=unread::HOME/mixed/chart/templates/a.yaml: it is a template of a Helm chart',
      '',
    ])
    expect(annotations.stderr).toContain('1 object validated; 1 error; 1 unread; 1 object of Kubernetes')
    process.env.GITHUB_WORKSPACE = home
    const inRepository = await validate([at('mixed')], '-o', 'github')
    delete process.env.GITHUB_WORKSPACE
    expect(inRepository.stdout).toContain('::error file=mixed/a.yaml,line=5,title=invalid::Db a: spec.size: ')
  })

  it('does not report what every overlay of a base changes', async () => {
    const patch = object('Db', 'spec: {size: 3, sise: 3}')
    writeTree(home, {
      'kustomized/base/kustomization.yaml': 'resources: [db.yaml]\n',
      'kustomized/base/db.yaml': object('Db', 'spec: {sise: 1}'),
      'kustomized/prod/kustomization.yaml': 'resources: [../base]\npatches:\n- path: size.yaml\n',
      'kustomized/prod/size.yaml': patch,
    })
    const report = async (...paths: readonly string[]) => {
      const {status, stdout} = await validate(paths.map(path => at(`kustomized/${path}`)))
      return {status, lines: stdout.replaceAll(`${home}/kustomized/`, '').trimEnd().split('\n')}
    }
    const unknown = 'error  base/db.yaml:4: Db a: spec.sise: the field does not exist [unknown-field]'
    const missing = 'error  base/db.yaml:4: Db a: spec.size: it is required [invalid]'
    expect((await report('base')).lines).toEqual([unknown, missing, '1 object validated; 2 errors'])
    expect(await report('.')).toEqual({
      status: 1,
      lines: [
        unknown,
        'unread prod/kustomization.yaml:2: kustomize changes objects by patches',
        'unread prod/size.yaml: it is a patch of kustomize',
        'unread base/db.yaml:4: Db a: spec.size: prod/kustomization.yaml may change it: it is required',
        '1 object validated; 1 error; 3 unread',
      ],
    })
    writeTree(home, {'kustomized/dev/kustomization.yaml': 'resources: [../base]\nnamePrefix: dev-\n'})
    expect((await report('.')).lines).toContain(missing)
  })

  it('counts one file of a rendered tree as one', async () => {
    const text = object('Db', 'spec: {size: 1}')
    const hash = createHash('sha256').update(text).digest('hex')
    writeTree(home, {
      'tree/.kubectl-crossplane/files.sha256': `# kubectl-crossplane files v1\n${hash}  own.yaml\n`,
      'tree/own.yaml': text,
      'tree/a.yaml': text,
    })
    const {stderr} = await validate([at('tree')])
    expect(stderr).toContain('1 file that "package render" wrote is left out')
  })

  it('exits with 7 for a file that cannot be read, and validates all others', async () => {
    writeTree(home, {
      'broken/a.yaml': object('Db', 'spec: {size: big}'),
      'broken/b.yaml': `# {{ not the reason }}\n${object('Db', 'spec: {size: 1}')} x: [\n`,
    })
    const {status, stdout, stderr} = await validate([at('broken')])
    expect({status, stdout: stdout.replaceAll(home, 'HOME').split('\n')}).toEqual({
      status: 7,
      stdout: [
        'error  HOME/broken/a.yaml:4: Db a: spec.size: it must be of type integer, not string [invalid]',
        expect.stringContaining('unread HOME/broken/b.yaml:6: it cannot be read: '),
        '1 object validated; 1 error; 1 unread',
        '',
      ],
    })
    expect(stderr).toContain(`${at('broken/b.yaml')}:6`)
  })

  it('exits with 7 for a CRD that cannot be read, and does not judge its objects', async () => {
    writeTree(home, {
      'others/team/sql@v1.0.0/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: a}\n',
      'others/team/sql@v1.0.0/crd.yaml': CRD.replace(/\/v1\n/, '/v1beta1\n').replace(
        / {2}versions:\n.*$/s,
        '  versions: [{name: v1, served: true, storage: false}]\n',
      ),
      'others.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
packages: [{package: ${REPOSITORY}/sql}]
`,
      'unread.yaml': object('Db', 'spec: {size: big}'),
    })
    const flags = ['--declaration', at('others.yaml'), '--packages', at('others'), '--offline']
    const {status, stdout} = await runCli('package', 'validate', at('unread.yaml'), ...flags)
    expect(status).toBe(7)
    expect(stdout).toContain('unread.yaml:1: Db a: the CRD dbs.example.org could not be read\n')
    expect(stdout).toContain('0 objects validated; 0 errors; 2 unread')
  })

  it('does not judge variables in Compositions', async () => {
    const {findings, unread, status} = await document(`apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: nets}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: XNet}
  mode: Pipeline
  pipeline:
  - step: parts
    functionRef: {name: function-patch-and-transform}
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources:
      - name: db
        base: {apiVersion: example.org/v1, kind: Db, spec: {size: "\${SIZE}"}}
        patches:
        - {type: FromCompositeFieldPath, fromFieldPath: "spec.\${FIELD}", toFieldPath: spec.zone}
`)
    const place = 'spec.pipeline[0].input.resources[0]'
    expect({findings, status}).toEqual({findings: [], status: 0})
    expect(unread.map(({path}) => path).sort()).toEqual([
      `${place}.base.spec.size`,
      `${place}.patches[0].fromFieldPath`,
    ])
  })

  it('warns of paths without objects', async () => {
    writeTree(home, {'blank/a.yaml': 'a: 1\n'})
    const {status, stderr} = await validate([at('blank')])
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: `Warning: no objects in ${at('blank')} [no-objects]\n`,
    })
  })

  it.each(['other.org', 'Other', 'Other.other.org'])(
    'needs no schema with --allow-unknown %s',
    async name => {
      const {status, skipped, findings} = await document(
        object('Other', '', 'other.org/v1'),
        ...['--allow-unknown', name],
      )
      expect({status, skipped, findings}).toEqual({
        status: 0,
        skipped: [{apiVersion: 'other.org/v1', kind: 'Other', because: 'allowed', objects: 1}],
        findings: [],
      })
    },
  )

  it('judges Compositions by the version of Crossplane', async () => {
    writeTree(home, {
      'open.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages: [{package: ${REPOSITORY}/net}]
`,
      'plan.yaml': `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: nets}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: XNet}
  patchSets: []
  mode: Pipeline
  pipeline: [{step: a, functionRef: {name: function-auto-ready}}]
`,
    })
    const flags = ['--declaration', at('open.yaml'), '--packages', at('packages'), '--offline']
    const judged = async (...more: readonly string[]) => {
      const {status} = await runCli('package', 'validate', at('plan.yaml'), ...flags, ...more)
      return status
    }
    expect(await judged()).toBe(0)
    expect(await judged('--core-version', 'v1.20.1')).toBe(0)
    expect(await judged('--core-version', 'v2.3.4')).toBe(1)
    expect((await validate([at('plan.yaml')])).stdout).toContain('spec.patchSets: the field does not exist')
  })

  it('says which rules it cannot evaluate', async () => {
    const {status, unread} = await document(object('Db', 'spec: {size: 1, memory: 1Gi}'))
    expect({status, unread}).toMatchObject({
      status: 0,
      unread: [{path: 'spec', object: 'Db a', reason: 'the rule in CEL cannot be evaluated'}],
    })
  })

  it('validates the inputs of functions, and Compositions', async () => {
    const {findings, unread, status} = await document(`apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: nets}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: XNet}
  mode: Pipeline
  pipeline:
  - step: parts
    functionRef: {name: function-patch-and-transform}
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources:
      - name: db
        base: {apiVersion: example.org/v1, kind: Db, spec: {size: 1}}
        patches:
        - {type: FromCompositeFieldPath, fromFieldPath: spec.cidr, toFieldPath: spec.size}
  - step: other
    functionRef: {name: fn}
    input: {apiVersion: fn.example.org/v1, kind: Input, spec: {size: a}}
`)
    const place = 'spec.pipeline[0].input.resources[0].patches[0]'
    expect({findings, unread, status}).toMatchObject({
      status: 1,
      findings: [
        {rule: 'type-mismatch', path: place, line: 17},
        {rule: 'input-invalid', path: 'spec.pipeline[1].input.spec.size', line: 20},
      ],
      unread: [
        {path: 'spec.pipeline[1]', reason: 'the function fn: only the schema of its input is validated'},
      ],
    })
  })

  it('fails for a file that does not exist, and for a package that is not available', async () => {
    expect((await validate([at('none.yaml')])).status).toBe(7)
    const flags = ['--declaration', at('crossplane-packages.yaml'), '--packages', at('mixed'), '--offline']
    expect((await runCli('package', 'validate', at('objects.yaml'), ...flags)).status).not.toBe(0)
  })
})
