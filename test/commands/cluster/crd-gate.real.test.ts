import {cpSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, it} from '@jest/globals'
import type {TestCluster} from '../../cluster/api-server.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import type {CliResult} from '../../run-cli.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {listener} from '../../listening.js'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import {STORIES} from '../usage-world.js'
import {runIn} from './installing.js'
import {gated, interrupted} from './interrupted-run.js'

/** What differs between the versions of the package that each test has of its own. */
interface Definition {
  readonly versions?: readonly string[]
  readonly scope?: string
  /** Of `spec`. */
  readonly fields?: JsonObject
}

const TEXTS = {size: {type: 'string'}, color: {type: 'string'}}

function crd(
  plural: string,
  {versions = ['v1'], scope = 'Namespaced', fields = TEXTS}: Definition,
): JsonObject {
  const schema = {type: 'object', properties: {spec: {type: 'object', properties: fields}}}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.gate.example.org`},
    spec: {
      group: 'gate.example.org',
      names: {plural, kind: kindOf(plural)},
      scope,
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: {openAPIV3Schema: schema},
      })),
    },
  }
}

const fieldsOf = (text: string) =>
  asObject(readYaml(Buffer.from(text.startsWith('{') ? text : `{${text}}`), 'story')[0]?.value)

const kindOf = (plural: string) => `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`

describeCluster('current', 'the gate for CRDs', cluster => {
  /** Installs a package of one CRD from a folder. */
  async function install(plural: string, definition: Definition, ...flags: string[]): Promise<CliResult> {
    return await runIn(
      cluster(),
      'package',
      'install',
      ...packageOf(cluster(), plural, definition),
      '--yes',
      ...flags,
    )
  }

  async function create(plural: string, name: string, spec: JsonObject): Promise<JsonObject> {
    const metadata = {name, namespace: 'default'}
    return accepted(
      await cluster().kube.create({apiVersion: 'gate.example.org/v1', kind: kindOf(plural), metadata, spec}),
    )
  }

  const live = async (plural: string) => accepted(await cluster().kube.get(crd(plural, {})))

  it('keeps a stored version while an instance exists, and replaces the CRD without one', async () => {
    expect(await install('stored', {})).toMatchObject({status: 0})
    const created = await create('stored', 'mine', {size: '1'})
    const rejected = await install('stored', {versions: ['v2']}, '--replace-crds')
    expect(rejected).toMatchObject({status: 5})
    expect(rejected.stderr).toContain(
      'the package removes the stored version v1, but 1 custom resource exists (default/mine)',
    )
    accepted(await cluster().kube.delete(created))
    const unflagged = await install('stored', {versions: ['v2']})
    expect(unflagged).toMatchObject({status: 5})
    expect(unflagged.stderr).toMatch(/^Try: Pass --replace-crds/m)
    expect(await install('stored', {versions: ['v2']}, '--replace-crds')).toMatchObject({status: 0})
    const {metadata, status} = await live('stored')
    expect(asObject(status).storedVersions).toEqual(['v2'])
    expect(asObject(metadata).labels).toMatchObject({'parent.packages.crossplane.io/gate-stored': 'true'})
    const again = await install('stored', {versions: ['v2']})
    expect(again.stderr).toMatch(/^\d+ unchanged$/m)
  }, 120_000)

  it('keeps the scope unless the CRD can be replaced', async () => {
    expect(await install('scoped', {})).toMatchObject({status: 0})
    const rejected = await install('scoped', {scope: 'Cluster'})
    expect(rejected).toMatchObject({status: 5})
    expect(rejected.stderr).toContain(
      'the scope changes from "Namespaced" to "Cluster", which requires deleting the CRD',
    )
    expect(await install('scoped', {scope: 'Cluster'}, '--replace-crds')).toMatchObject({status: 0})
    expect((await live('scoped')).spec).toMatchObject({scope: 'Cluster'})
  }, 120_000)

  it('keeps a CRD that another install claims', async () => {
    expect(await install('shared', {})).toMatchObject({status: 0})
    const labels = {'parent.packages.crossplane.io/ops-other': 'true'}
    const {apiVersion = '', kind = '', metadata} = crd('shared', {})
    const claim = {apiVersion, kind, metadata: {...asObject(metadata), labels}}
    accepted(await cluster().kube.apply(claim, {manager: 'crossplane-packages:ops/other'}))
    const rejected = await install('shared', {versions: ['v2']}, '--replace-crds')
    expect(rejected).toMatchObject({status: 5})
    expect(rejected.stderr).toContain('but parent.packages.crossplane.io/ops-other uses it')
  }, 120_000)

  it('changes only what the policy of a team allows', async () => {
    const policy = join(cluster().folder, 'policy.yaml')
    const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\ncontact: Team A\n'
    writeFileSync(policy, `${head}reject:\n  crdChanges: [stored-version-removed, schema-narrowed]\n`)
    const judged = ['--policy', policy]
    expect(await install('policed', {}, ...judged)).toMatchObject({status: 0})
    const lost = await install('policed', {versions: ['v2']}, '--replace-crds', ...judged)
    expect(lost).toMatchObject({status: 4})
    expect(lost.stderr).toContain(
      'policy.yaml:5: the plan: CustomResourceDefinition policed.gate.example.org: it loses v1 (stored-version-removed) [policy-crd-change]',
    )
    expect(lost.stderr).toContain('of Team A rejects it')
    const fields = {...TEXTS, size: {type: 'string', maxLength: 3}}
    const narrowed = await install('policed', {fields}, '--dry-run', ...judged)
    expect(narrowed).toMatchObject({status: 4, stderr: expect.stringContaining('v1: spec.size')})
    writeFileSync(
      policy,
      `${head}rules:\n- {name: no-crds, expression: 'plan.operations.all(o, o.kind != "CustomResourceDefinition")'}\n`,
    )
    const ruled = await install('policed', {fields}, ...judged)
    expect(ruled).toMatchObject({status: 4, stderr: expect.stringContaining('[policy/no-crds]')})
    expect(await install('policed', {}, ...judged)).toMatchObject({status: 0})
    expect(asObjects(asObject((await live('policed')).spec).versions).map(({name}) => name)).toEqual(['v1'])
  }, 120_000)

  it('rejects a schema while an instance is invalid', async () => {
    expect(await install('judged', {})).toMatchObject({status: 0})
    await create('judged', 'good', {size: '1'})
    const bad = await create('judged', 'bad', {color: 'red'})
    const fields = {size: {type: 'string', enum: ['1']}, color: {type: 'string', enum: ['blue']}}
    const rejected = await install('judged', {fields})
    expect(rejected).toMatchObject({status: 5})
    expect(rejected.stderr).toContain(
      'rejects 1 of 2 custom resources: default/bad: spec.color: it must be "blue"',
    )
    accepted(await cluster().kube.delete(bad))
    expect(await install('judged', {fields})).toMatchObject({status: 0})
  }, 120_000)

  it('warns of fields that are dropped, as the server then does', async () => {
    expect(await install('pruned', {})).toMatchObject({status: 0})
    const created = await create('pruned', 'mine', {size: '1', color: 'red'})
    const next = {fields: {size: {type: 'string', format: 'uuid'}}}
    const lost =
      'Pruned default/mine spec.color: breaks, lost: the field does not exist; its value is dropped'
    const stopped = await install('pruned', next)
    expect(stopped).toMatchObject({status: 5})
    expect(stopped.stderr).toContain(
      `pruned.gate.example.org: the change has effects on 1 custom resource: ${lost}`,
    )
    expect(stopped.stderr).toMatch(/^Try: Pass --accept-impact/m)
    const policy = join(cluster().folder, 'impact-policy.yaml')
    const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\n'
    writeFileSync(policy, `${head}reject: {acceptedImpacts: true}\n`)
    const refused = await install('pruned', next, '--accept-impact', '--policy', policy)
    expect(refused).toMatchObject({status: 4, stderr: expect.stringContaining('(reject.acceptedImpacts)')})
    const upgraded = await install('pruned', next, '--accept-impact')
    expect(upgraded).toMatchObject({status: 0})
    expect(upgraded.stderr).toContain(
      '1 custom resource of pruned.gate.example.org will lose spec.color: default/mine [fields-pruned]',
    )
    // One finding is reported once.
    expect(upgraded.stderr).not.toContain('spec.color: breaks')
    expect(upgraded.stderr).toContain(
      'Pruned default/mine spec.size: unread: the new format cannot be evaluated',
    )
    const {body} = await until(
      () => cluster().kube.get(created),
      answer => asObject(answer.body.spec).color === undefined,
    )
    expect(body.spec).toEqual({size: '1'})
  }, 120_000)

  it.each(STORIES)(
    'judges custom resources where there is $name',
    async story => {
      const plural = `story${STORIES.indexOf(story)}`
      const [old, now] = [fieldsOf(story.old), fieldsOf(story.now)]
      expect(await install(plural, {fields: old})).toMatchObject({status: 0})
      const before = join(cluster().folder, `${plural}-before`)
      cpSync(join(cluster().folder, 'packages', plural), before, {recursive: true})
      await create(plural, 'mine', fieldsOf(`{${story.spec.replace('\n', ', ')}}`))
      const stopped = await install(plural, {fields: now})
      expect(stopped).toMatchObject({status: 5})
      const isRejected = !story.want.some(text => text.startsWith('lost')) || story.spec.startsWith('rules')
      expect(stopped.stderr).toContain(
        isRejected ? 'the new schema rejects 1 of 1 custom resource' : 'has effects on 1 custom resource',
      )
      const sides = ['--old', before, '--new', join(cluster().folder, 'packages', plural)]
      const impact = await runIn(cluster(), 'package', 'impact', ...sides, '--context', 'test', '-o', 'json')
      expect(impact).toMatchObject({status: 1})
      const {findings} = asObject(JSON.parse(impact.stdout) as JsonObject)
      const told = asObjects(findings).map(({verdict, path}) => `${asText(verdict)} ${asText(path)}`)
      expect(told.sort()).toEqual(story.want)
      const accepted = await install(plural, {fields: now}, '--accept-impact')
      expect(accepted).toMatchObject({status: isRejected ? 5 : 0})
    },
    120_000,
  )

  it('evaluates new rules, and what is treated in another way', async () => {
    const fields = {size: {type: 'integer'}, mode: {type: 'string', default: 'fast'}}
    expect(await install('ruled', {fields})).toMatchObject({status: 0})
    await create('ruled', 'mine', {size: 5})
    const size = {
      ...fields.size,
      'x-kubernetes-validations': [{rule: 'self < 3', message: 'It is too large'}],
    }
    const ruled = await install('ruled', {fields: {...fields, size}})
    expect(ruled).toMatchObject({status: 5})
    expect(ruled.stderr).toContain('Ruled default/mine spec.size: breaks: it is too large')
    const slow = await install('ruled', {fields: {...fields, mode: {type: 'string', default: 'slow'}}})
    expect(slow).toMatchObject({status: 0})
    expect(slow.stderr).not.toContain('[usage-impact]')
    const frozen = {...fields.size, 'x-kubernetes-validations': [{rule: 'self == oldSelf'}]}
    const meant = await install('ruled', {fields: {...fields, size: frozen}})
    expect(meant).toMatchObject({status: 0})
    expect(meant.stderr).toContain('1 custom resource of ruled.gate.example.org is treated in another way')
  }, 120_000)

  const MIGRATED = {versions: ['v2', 'v3']}

  /** The spec of instances in the version that they are migrated to, and the versions of the CRD. */
  async function migratedState(plural: string, names: readonly string[]) {
    const {spec, status} = await live(plural)
    const instances = await Promise.all(
      names.map(async name => {
        const metadata = {name, namespace: 'default'}
        const found = await cluster().kube.get({
          apiVersion: 'gate.example.org/v2',
          kind: kindOf(plural),
          metadata,
        })
        return [name, accepted(found).spec]
      }),
    )
    return {
      versions: asObjects(asObject(spec).versions).map(({name}) => name),
      stored: asObject(status).storedVersions,
      instances: Object.fromEntries(instances) as JsonObject,
    }
  }

  it('migrates custom resources from a version that the package no longer has', async () => {
    expect(await install('migrated', {})).toMatchObject({status: 0})
    const specs = {a: {size: '1'}, b: {color: 'red'}}
    for (const [name, spec] of Object.entries(specs)) await create('migrated', name, spec)
    const rejected = await install('migrated', MIGRATED)
    expect(rejected).toMatchObject({status: 5})
    expect(rejected.stderr).toMatch(/but 2 custom resources exist \(default\/a, default\/b\)/)
    expect(rejected.stderr).toMatch(/^Try: Pass --migrate-versions/m)

    const file = join(cluster().folder, 'migration.json')
    const planned = await install('migrated', MIGRATED, '--migrate-versions', '--plan-out', file)
    expect(planned).toMatchObject({status: 0})
    expect(planned.stdout).toContain(
      [
        '1. Serve the former and the new versions of 1 CRD (migrated.gate.example.org).',
        '2. Migrate 2 custom resources from v1 to v2.',
        '3. Drop v1.',
      ].join('\n'),
    )
    expect(await install('migrated', MIGRATED, '--migrate-versions', '--dry-run=server')).toMatchObject({
      status: 0,
    })
    expect(await migratedState('migrated', []).catch(() => undefined)).toMatchObject({stored: ['v1']})

    const applied = await runIn(cluster(), 'package', 'install', '--plan', file)
    expect(applied).toMatchObject({status: 0})
    expect(applied.stderr).toContain('migrates 2 custom resources of migrated.gate.example.org from v1 to v2')
    const want = {versions: ['v2', 'v3'], stored: ['v2'], instances: specs}
    expect(await migratedState('migrated', ['a', 'b'])).toEqual(want)
    const again = await install('migrated', MIGRATED)
    expect(again.stderr).toMatch(/^\d+ unchanged$/m)
  }, 120_000)

  it('migrates nothing that would lose fields', async () => {
    expect(await install('losing', {})).toMatchObject({status: 0})
    await create('losing', 'mine', {size: '1', color: 'red'})
    const fields = {size: {type: 'string'}}
    const rejected = await install('losing', {versions: ['v2'], fields}, '--migrate-versions')
    expect(rejected).toMatchObject({status: 5})
    expect(rejected.stderr).toContain(
      '1 custom resource would lose fields that v2 does not have, such as spec.color: default/mine',
    )
  }, 120_000)

  const listen = listener()

  it.each([
    [
      'the CRD serves both versions',
      /^PATCH .*\/customresourcedefinitions\/[^/?]*\?fieldManager=crossplane-packages(?:&|$)/,
    ],
    ['one of two custom resources is migrated', /^PATCH .*\/namespaces\/default\/killed/],
    ['the CRD names the version that is stored', /^PATCH .*\/status\?/],
  ])(
    'is completed by the same command after kill -9 when %s',
    async (_, line) => {
      const plural = `killed${++killed}`
      expect(await install(plural, {})).toMatchObject({status: 0})
      const specs = {a: {size: '1'}, b: {color: 'red'}}
      for (const [name, spec] of Object.entries(specs)) await create(plural, name, spec)
      const args = [
        ...['package', 'install', ...packageOf(cluster(), plural, MIGRATED)],
        ...['--yes', '--migrate-versions'],
      ]
      const run = await gated(cluster(), listen)
      const at = (write: {readonly line: string}) => line.test(write.line)
      const first = await interrupted(run, args, {signal: 'SIGKILL', at, isAnswered: true})
      expect(first).toMatchObject({isInterrupted: true, signal: 'SIGKILL'})
      // A killed run leaves its Lease behind, which expires.
      accepted(await cluster().kube.delete(LEASE))
      expect(await runIn(cluster(), ...args)).toMatchObject({status: 0})
      const want = {versions: ['v2', 'v3'], stored: ['v2'], instances: specs}
      expect(await migratedState(plural, ['a', 'b'])).toEqual(want)
      expect((await runIn(cluster(), ...args)).stderr).toMatch(/^\d+ unchanged$/m)
    },
    120_000,
  )
})

let killed = 0

const LEASE = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: {namespace: 'gate', name: 'kubectl-crossplane'},
}

/** The arguments that install a package, which is written to a folder of the cluster. */
function packageOf({folder}: TestCluster, plural: string, definition: Definition): string[] {
  const registry = join(folder, 'packages', plural, '.registry')
  mkdirSync(join(registry, 'resources'), {recursive: true})
  const app = {
    apiVersion: '0.1.0',
    title: plural,
    version: '0.1.0',
    packageType: 'Provider',
    permissionScope: 'Cluster',
  }
  writeFileSync(join(registry, 'app.yaml'), JSON.stringify(app))
  writeFileSync(join(registry, 'resources', 'kind.crd.yaml'), JSON.stringify(crd(plural, definition)))
  const identity = ['--as-package', `example/${plural}:v0.1.0`, '--namespace', 'gate']
  return [join(folder, 'packages', plural), plural, ...identity, '--with-package-api', '--create-namespace']
}
