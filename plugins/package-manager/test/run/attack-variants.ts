import {expect, it} from '@jest/globals'
import {asObject, type JsonObject} from 'kubectl-crossplane/plugin'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {accepted, type Kube} from '../../../../test/cluster/kube.js'
import {TENANT} from '../../../../test/commands/cluster/tenant.js'
import {differenceBetween, NO_DIFFERENCE} from '../../../../test/commands/cluster/unchanged-state.js'
import {managerSuite, named, request} from './manager-suite.js'

const APP = {package: 'example/app:v1.0.0'}
const EVIL = 'docker.io/evil/plain:v1.0.0'

/** Spellings of packages that sources do not allow, and places in the Pod of the manager. */
const PACKAGES = [
  'docker.io/example/../evil/plain:v1.0.0',
  'docker.io/example//../evil/plain:v1.0.0',
  'DOCKER.IO/evil/plain:v1.0.0',
  'docker.io:443/evil/plain:v1.0.0',
  'docker.io./example/app:v1.0.0',
  'docker.io/example-evil/plain:v1.0.0',
  'docker.io/example@evil.example.org/evil/plain:v1.0.0',
  'index.docker.io/evil/plain:v1.0.0',
  `${EVIL}@sha256:${'0'.repeat(64)}`,
  'oci:/var/run/secrets/kubernetes.io:v1',
  'oci-archive:/etc/passwd',
  './example/app',
  '/etc',
  'https://evil.example.org/app',
]
const SOURCES = [
  'docker.io/example/../../evil.example.org',
  'docker.io',
  'docker.io/example-evil',
  'evil.example.org/docker.io/example',
]

const FORBIDDEN: readonly {
  readonly name: string
  readonly in: readonly JsonObject[]
  readonly want: RegExp
}[] = [
  {
    name: 'annotations of the service account of its Pods, which clouds give rights by',
    in: [{...APP, serviceAccount: {annotations: {'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/a'}}}],
    want: /^False PolicyRefused .*spec\.serviceAccount\.annotations/,
  },
  {
    name: 'other spellings of packages',
    in: PACKAGES.map(spelling => ({package: spelling})),
    want: /^False (?:PolicyRefused|InvalidRequest) /,
  },
  {
    name: 'other spellings of sources',
    in: SOURCES.map(source => ({package: EVIL, source})),
    want: /^False (?:PolicyRefused|InvalidRequest) /,
  },
  {
    name: 'a CRD together with an allowed package',
    in: [{...APP, crd: 'queues.queue.example.org/v1'}],
    want: /^False InvalidRequest /,
  },
  {
    name: 'a pull secret of another namespace',
    in: [{...APP, imagePullSecrets: [{name: '../crossplane-system/pull'}]}],
    want: /^False InvalidRequest /,
  },
]

/** Requests that are never fulfilled, in a suite that compares what belongs to others. */
export function variantCases(suite: {
  readonly cluster: () => TestCluster
  readonly tenant: () => Kube
  readonly others: () => Promise<Readonly<Record<string, JsonObject>>>
  /** The text of the policy of the suite. */
  readonly text: string
}): void {
  const {cluster, tenant, others, text} = suite
  const {kube, read, remove, settled, gone, policy} = managerSuite(cluster)

  it.each(FORBIDDEN)('S1, S2: $name', async ({in: specs, want}) => {
    const before = await others()
    await policy(`sources: [docker.io/example]\n${text}`)
    const objects = specs.map((spec, index) => request(TENANT, `variant-${index}`, spec))
    for (const object of objects) accepted(await tenant().create(object))
    for (const object of objects) expect(await settled(object, 'Ready', /./)).toMatch(want)
    for (const object of objects) accepted(await tenant().delete(object))
    for (const object of objects) await gone(object)
    await policy(text)
    expect(differenceBetween(before, await others())).toEqual(NO_DIFFERENCE)
  })

  it('S1: the name of a service account that has more rights', async () => {
    const account = named('ServiceAccount', 'deployer', TENANT)
    const labels = {team: 'platform'}
    accepted(await kube().create({...account, metadata: {...asObject(account.metadata), labels}}))
    const before = await read(account)
    const object = request(TENANT, 'deployer', APP)
    accepted(await tenant().create(object))
    expect(await settled(object, 'Ready', /./)).toMatch(/^False Conflict /)
    expect(await read(account)).toEqual(before)
    accepted(await tenant().delete(object))
    await gone(object)
    expect(await read(account)).toEqual(before)
    await remove(account)
  })
}
