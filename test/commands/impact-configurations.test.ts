import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const folder = temporaryFolder()
let homes = 0

const HOST = 'registry.example.org/team'
const meta = (kind: string, name: string) =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\n`

/** A provider with one kind. */
const provider = (version: string, fields: string) => ({
  [`packages/team/sql@${version}/crossplane.yaml`]: meta('Provider', 'sql'),
  [`packages/team/sql@${version}/crd.yaml`]: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dbs.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: dbs, kind: Db, singular: db, listKind: DbList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${fields}}}}}}
`,
})

const compositionOf = (name: string, base: string) => `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: ${name}}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: Store}
  mode: Pipeline
  pipeline:
  - step: compose
    functionRef: {name: function-patch-and-transform}
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources:
      - name: db
        base: {apiVersion: example.org/v1, kind: Db, spec: ${base}}
        patches:
        - {type: FromCompositeFieldPath, fromFieldPath: spec.size, toFieldPath: spec.size}
`

const XRD = `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata: {name: stores.example.org}
spec:
  group: example.org
  names: {plural: stores, kind: Store}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`

const STORE = (name: string, size: number) =>
  `apiVersion: example.org/v1\nkind: Store\nmetadata: {name: ${name}, namespace: a}\nspec: {size: ${size}, crossplane: {compositionRef: {name: plain}}}\n`

/** A home whose declaration has the provider and a Configuration with these Compositions. */
async function homeOf(
  compositions: string,
  objects = STORE('main', 3),
  xrd = XRD,
  others: Readonly<Record<string, string>> = {},
) {
  const home = join(folder, `home-${homes++}`)
  writeTree(home, {
    ...provider('v1.0.0', 'size: {type: integer}, zone: {type: string}'),
    'packages/team/store@v1.0.0/crossplane.yaml': meta('Configuration', 'store'),
    'packages/team/store@v1.0.0/xrd.yaml': xrd,
    'packages/team/store@v1.0.0/compositions.yaml': compositions,
    'objects/store.yaml': objects,
    ...others,
    'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
usage: {objects: [objects]}
packages: [${['sql', 'store', ...('packages/team/alt@v1.0.0/crossplane.yaml' in others ? ['alt'] : [])].map(name => `{package: ${HOST}/${name}}`).join(', ')}]
`,
  })
  const flags = [
    '--declaration',
    join(home, 'crossplane-packages.yaml'),
    '--packages',
    join(home, 'packages'),
  ]
  const run = async (command: string, ...args: readonly string[]) =>
    await runCli('package', command, ...args, ...flags, '--offline')
  expect((await run('lock')).status).toBe(0)
  return {home, run}
}

interface Finding {
  readonly verdict: string
  readonly path: string
  readonly package: string
  readonly file: string
  readonly configuration: string
  readonly object: {readonly kind: string; readonly name: string}
}

async function impactIn(run: Awaited<ReturnType<typeof homeOf>>['run']) {
  const {stdout, stderr, status} = await run('impact', '-o', 'json')
  expect(stderr).toBe('')
  const document = JSON.parse(stdout) as {findings: readonly Finding[]; read: unknown}
  expect(schemaViolations(schemaOf('package-impact'), document)).toEqual([])
  return {status, ...document}
}

const ZONED = `${compositionOf('plain', '{size: 1}')}---\n${compositionOf('zoned', '{zone: a}')}`
const NARROW = 'size: {type: integer, maximum: 5}, zone: {type: string}'

describe('package impact on Compositions of Configurations', () => {
  it('names the Configuration and the Composition with a field that the provider drops', async () => {
    const {home, run} = await homeOf(ZONED)
    writeTree(home, provider('v1.1.0', 'size: {type: integer}'))
    const {status, findings, read} = await impactIn(run)
    const at = {package: `${HOST}/sql`, file: `${HOST}/store:v1.0.0`, configuration: `${HOST}/store:v1.0.0`}
    const path = 'spec.pipeline[0].input.resources[0].base.spec.zone'
    expect(findings).toEqual(
      ['breaks', 'lost'].map(verdict => expect.objectContaining({verdict, path, ...at}) as unknown),
    )
    expect(findings[0]).toMatchObject({object: {kind: 'Composition', name: 'zoned'}})
    expect({status, read}).toEqual({status: 1, read: {files: 1, packages: 1, objects: 3, judged: 3}})
    const text = await run('impact')
    expect(text.stdout).toContain(`Composition zoned (${HOST}/store:v1.0.0)\n`)
    expect(text.stdout).toContain('  3 objects of 1 file and 1 package, 0 of other kinds\n')
    expect((await run('impact', '-o', 'github')).stdout).toContain(
      `::error title=breaks::Composition zoned ${path} of ${HOST}/store:v1.0.0: `,
    )
  })

  it('judges what such a Composition makes of composite resources of users', async () => {
    const objects = `${STORE('small', 3)}---\n${STORE('large', 9)}`
    const {home, run} = await homeOf(ZONED, objects)
    writeTree(home, provider('v1.1.0', NARROW))
    const {findings} = await impactIn(run)
    expect(findings.filter(({verdict}) => verdict === 'breaks')).toMatchObject([
      {object: {name: 'plain'}, message: expect.stringContaining('Store a/large') as unknown},
    ])
  })

  it('judges what such a Composition makes of claims of users', async () => {
    const claims = XRD.replace('extensions.crossplane.io/v2', 'extensions.crossplane.io/v1').replace(
      '  versions:',
      '  claimNames: {plural: shelves, kind: Shelf}\n  versions:',
    )
    const claim = (name: string, size: number) =>
      `apiVersion: example.org/v1\nkind: Shelf\nmetadata: {name: ${name}, namespace: a}\nspec: {size: ${size}}\n`
    const {home, run} = await homeOf(
      compositionOf('plain', '{size: 1}'),
      `${claim('small', 3)}---\n${claim('large', 9)}`,
      claims,
    )
    writeTree(home, provider('v1.1.0', NARROW))
    const {findings} = await impactIn(run)
    expect(findings.filter(({verdict}) => verdict === 'breaks')).toMatchObject([
      {object: {name: 'plain'}, composites: [{kind: 'Shelf', name: 'large', namespace: 'a'}]},
    ])
  })

  it('stops an upgrade until the effect is accepted, and each other effect again', async () => {
    const {home, run} = await homeOf(ZONED)
    writeTree(home, provider('v1.1.0', 'size: {type: integer}'))
    const stopped = await run('lock', '--upgrade', `${HOST}/sql`)
    expect({status: stopped.status, stderr: stopped.stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining(`base.spec.zone of ${HOST}/store:v1.0.0: breaks, lost: `) as unknown,
    })
    expect((await run('lock', '--upgrade', `${HOST}/sql`, '--accept-impact')).status).toBe(0)
    writeTree(home, provider('v1.2.0', ''))
    expect((await run('lock', '--upgrade', `${HOST}/sql`)).status).toBe(5)
  })

  it('judges a Composition once that users have, too', async () => {
    const {home, run} = await homeOf(ZONED, compositionOf('zoned', '{zone: a}'))
    writeTree(home, provider('v1.1.0', 'size: {type: integer}'))
    const {findings} = await impactIn(run)
    expect(findings.map(({file}) => file)).toEqual([1, 2].map(() => join(home, 'objects/store.yaml')))
  })

  const PLAIN = compositionOf('plain', '{size: 1}')
  const ANY = (size: number) =>
    `apiVersion: example.org/v1\nkind: Store\nmetadata: {name: large, namespace: a}\nspec: {size: ${size}}\n`
  const withReference = (field: string, name: string) =>
    XRD.replace('  versions:', `  ${field}: {name: ${name}}\n  versions:`)
  const UNPATCHED = compositionOf('zoned', '{zone: a}').replace(/ {8}patches:[^]*$/, '')

  it.each<
    readonly [string, {compositions: string; objects: string; xrd?: string; broken: readonly string[]}]
  >([
    [
      'the Composition of a user in the place of that of a package',
      {
        compositions: PLAIN,
        objects: `${ANY(9)}---\n${compositionOf('plain', '{size: 1, zone: b}')}`,
        broken: ['plain'],
      },
    ],
    [
      'the Composition of a user that has a field more, which Crossplane drops',
      {
        compositions: PLAIN,
        objects: `${ANY(9)}---\n${PLAIN.replace('  mode:', '  unknown: x\n  mode:')}`,
        broken: ['plain'],
      },
    ],
    ['no Composition of several', {compositions: ZONED, objects: ANY(9), broken: []}],
    [
      'the default one of the XRD',
      {
        compositions: ZONED,
        objects: ANY(9),
        xrd: withReference('defaultCompositionRef', 'plain'),
        broken: ['plain'],
      },
    ],
    [
      'the one that the XRD enforces, and not the one that it names itself',
      {
        compositions: `${PLAIN}---\n${UNPATCHED}`,
        objects: STORE('large', 9),
        xrd: withReference('enforcedCompositionRef', 'zoned'),
        broken: [],
      },
    ],
  ])('renders a composite resource with %s', async (_of, {compositions, objects, xrd, broken}) => {
    const {home, run} = await homeOf(compositions, objects, xrd)
    writeTree(home, provider('v1.1.0', NARROW))
    const breaking = (await impactIn(run)).findings.filter(({verdict}) => verdict === 'breaks')
    expect(breaking.map(({object}) => object.name)).toEqual(broken)
  })

  it.each([
    {had: ['alt'], has: [], broken: []},
    {had: ['alt'], has: ['alt'], broken: []},
    {had: [], has: ['alt'], broken: ['plain']},
  ])(
    'renders a composite resource with what was selected before another Configuration changes: $had, then $has',
    async ({had, has, broken}) => {
      const alt = (version: string, names: readonly string[]) => ({
        [`packages/team/alt@${version}/crossplane.yaml`]: meta('Configuration', 'alt'),
        ...Object.fromEntries(
          names.map(name => [
            `packages/team/alt@${version}/${name}.yaml`,
            compositionOf(name, '{size: 1, zone: b}'),
          ]),
        ),
      })
      const {home, run} = await homeOf(PLAIN, ANY(9), XRD, alt('v1.0.0', had))
      writeTree(home, {...provider('v1.1.0', NARROW), ...alt('v1.1.0', has)})
      const breaking = (await impactIn(run)).findings.filter(({verdict}) => verdict === 'breaks')
      expect(breaking.map(({object}) => object.name)).toEqual(broken)
    },
  )

  it('judges values that look like variables as they are: Crossplane applies them', async () => {
    const {home, run} = await homeOf(compositionOf('plain', '{size: 1, zone: "${zone}"}'))
    writeTree(home, provider('v1.1.0', 'size: {type: integer}, zone: {type: string, enum: [a, b]}'))
    const {findings} = await impactIn(run)
    expect(findings.map(({verdict}) => verdict)).toContain('breaks')
    expect(findings.map(({verdict}) => verdict)).not.toContain('unread')
  })

  it('lists what is not read of such a Composition, and counts only what users can change', async () => {
    const step =
      '  - {step: text, functionRef: {name: function-go-templating}, input: {apiVersion: gotemplating.fn.crossplane.io/v1beta1, kind: GoTemplate}}\n'
    const {home, run} = await homeOf(PLAIN.replace('  - step: compose', `${step}  - step: compose`))
    writeTree(home, provider('v1.1.0', NARROW))
    const {findings} = await impactIn(run)
    const unread = findings.filter(({verdict}) => verdict === 'unread')
    expect(unread).toMatchObject([{configuration: `${HOST}/store:v1.0.0`}])
    expect((await run('impact', '--max-unread', '0')).status).toBe(0)
    writeTree(home, {'objects/chart.yaml': 'apiVersion: {{ a }}\nkind: A\n'})
    expect((await run('impact', '--max-unread', '0')).status).toBe(1)
  })

  it('judges no Composition of a Configuration that changes as well', async () => {
    const {home, run} = await homeOf(ZONED)
    writeTree(home, {
      ...provider('v1.1.0', 'size: {type: integer}'),
      'packages/team/store@v1.1.0/crossplane.yaml': meta('Configuration', 'store'),
      'packages/team/store@v1.1.0/xrd.yaml': XRD,
      'packages/team/store@v1.1.0/compositions.yaml': compositionOf('plain', '{size: 1}'),
    })
    expect((await impactIn(run)).findings).toEqual([])
  })
})
