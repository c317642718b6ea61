import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject, readYaml} from 'kubectl-crossplane/plugin'
import {auditOf} from '../../../test/cluster/audit.js'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {runCli} from '../../../test/run-cli.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {API, managerSuite, named, request, SYSTEM} from './run/manager-suite.js'
import {contains, managedCluster, openManager, type RealManager, startManager} from './run/real-manager.js'
import {runOnce} from '../src/run/run-once.js'
import {sampleCrd, writePackage, writeSamples} from './run/sample-packages.js'

jest.setTimeout(120_000)

const packages = mkdtempSync(join(temporaryFolder(), 'packages-'))

/** Packages of a namespace, each of which requires the one before. */
const PARTS = [0, 1, 2, 3, 4, 5]
const NAMESPACES = ['many', 'mixed', 'needy', 'once']

describeCluster({version: 'current', pods: true}, 'requests that wait for their first install', cluster => {
  let manager: RealManager | undefined
  let token = ''
  const {kube, apply, read, settled, exists, gone, policy} = managerSuite(cluster)
  const partIn = (namespace: string, part: number) =>
    request(namespace, `part${part}`, {package: `example/part${part}:v1.0.0`})
  /** The Leases of a namespace that a manager took since a mark: one for each change. */
  const changesIn = async (namespace: string, mark: number) =>
    (await auditOf(cluster()).since(mark)).filter(
      ({verb, uri}) => verb === 'create' && uri.includes(`/namespaces/${namespace}/leases`),
    ).length
  const restart = async () => {
    await manager?.stop()
    manager = await startManager(cluster(), token, packages)
  }

  beforeAll(async () => {
    writeSamples(packages)
    for (const part of PARTS) {
      writePackage(packages, `example/part${part}`, {
        ...{version: 'v1.0.0', scope: 'Namespaced', pod: part % 2 === 0 ? null : ''},
        crds: {part: sampleCrd(`part${part}.example.org`, 'Part', 'parts')},
        dependsOn: part === 0 ? [] : [`parts.part${part - 1}.example.org/v1`],
      })
    }
    token = await managedCluster(cluster(), packages, [SYSTEM, ...NAMESPACES])
    const owners = 'owners: {app.example.org: example/app, queue.example.org: example/queue}'
    await policy(`${owners}\nmanager: {clusterNamespaces: [${NAMESPACES.join(', ')}]}\n`)
  }, 180_000)

  afterAll(async () => {
    await manager?.stop()
  })

  it('are installed as one change, each as it is rendered by itself', async () => {
    for (const part of PARTS.toReversed()) await apply(partIn('many', part))
    const mark = await auditOf(cluster()).mark()
    await restart()
    for (const part of PARTS)
      expect(await settled(partIn('many', part), 'Ready', /^True/)).toBe('True Available')
    expect(await changesIn('many', mark)).toBe(1)
    for (const part of PARTS) {
      const {stdout} = await runCli(
        ...['package', 'render', `example/part${part}:v1.0.0`, `part${part}`, '--namespace', 'many'],
        ...['--packages', packages, '--no-dependencies'],
      )
      const rendered = readYaml(Buffer.from(stdout), 'rendered').map(({value}) => asObject(value))
      const different = []
      for (const object of rendered) if (!contains(await read(object), object)) different.push(object)
      expect({count: rendered.length > 5, different}).toEqual({count: true, different: []})
      const {status, metadata} = await read(partIn('many', part))
      expect(asTextsOf(asObject(status).dependencies)).toEqual(
        PARTS.filter(other => other < part).map(other => `part${other}`),
      )
      expect(asObject(metadata).finalizers).toEqual(['finalizer.packageinstall.crossplane.io'])
    }
    const events = await kube().send('GET', '/api/v1/namespaces/many/events')
    const reasons = asObjects(events.body.items)
      .filter(({involvedObject}) => asObject(involvedObject).name === 'part0')
      .map(({reason}) => asText(reason))
    expect(reasons.sort()).toEqual(['Available', 'Installed'])
  })

  it('get back what is deleted right after', async () => {
    const role = named('RoleBinding', 'part0', 'many', 'rbac.authorization.k8s.io/v1')
    accepted(await kube().delete(role))
    await exists(role)
  })

  it('are looked at together when a manager starts again', async () => {
    await manager?.stop()
    const mark = await auditOf(cluster()).mark()
    manager = await startManager(cluster(), token, packages)
    const uris = async () => (await auditOf(cluster()).since(mark)).map(({uri}) => uri)
    const isRead = (all: readonly string[], part: number) =>
      all.some(uri => uri.endsWith(`/many/serviceaccounts/part${part}`))
    const reads = await until(uris, all => PARTS.every(part => isRead(all, part)))
    const inventories = reads.filter(uri => uri.startsWith('/api/v1/configmaps?labelSelector='))
    // Passes over each of them would read the inventories once for each.
    expect(inventories.length).toBeLessThan(PARTS.length)
  })

  it('get back what was deleted before that', async () => {
    await manager?.stop()
    const role = named('RoleBinding', 'part0', 'many', 'rbac.authorization.k8s.io/v1')
    accepted(await kube().delete(role))
    await restart()
    await exists(role)
  })

  it('do not wait for one that cannot be installed', async () => {
    await manager?.stop()
    const missing = request('mixed', 'missing', {package: 'example/missing:v1.0.0'})
    const lonely = request('mixed', 'lonely', {package: 'example/lonely:v1.0.0'})
    for (const each of [partIn('mixed', 0), missing, partIn('mixed', 1), lonely]) await apply(each)
    const mark = await auditOf(cluster()).mark()
    await restart()
    for (const part of [0, 1]) await settled(partIn('mixed', part), 'Ready', /^True/)
    expect(await settled(missing, 'Synced', /^False/)).toContain('example/missing:v1.0.0')
    expect(await settled(lonely, 'Ready', /^False/)).toContain('things.nowhere.example.org/v1')
    const outdated = (await auditOf(cluster()).since(mark)).filter(
      ({resource, verb, code}) => resource === 'packageinstalls' && verb === 'patch' && code === 409,
    )
    expect(outdated).toEqual([])
  })

  it('get requests for packages that none of them names', async () => {
    await manager?.stop()
    const apps = [partIn('needy', 0), request('needy', 'app', {package: 'example/app:v1.0.0'})]
    for (const each of apps) await apply(each)
    await restart()
    for (const each of apps) await settled(each, 'Ready', /^True/)
    const list = await kube().send('GET', `/apis/${API}/namespaces/${SYSTEM}/clusterpackageinstalls`)
    const made = asObjects(list.body.items).filter(
      ({metadata}) => asObject(asObject(metadata).labels)['kubectl-crossplane.dev/auto'] === 'true',
    )
    expect(made.map(({spec}) => asObject(spec).package)).toEqual(['example/queue:v1.1.0'])
  })

  it('are removed one by one, as they are requested', async () => {
    for (const part of PARTS.toReversed()) {
      accepted(await kube().delete(partIn('many', part)))
      await gone(partIn('many', part))
    }
  })

  it('are installed by a single pass over all requests', async () => {
    await manager?.stop()
    for (const part of PARTS) await apply(partIn('once', part))
    const mark = await auditOf(cluster()).mark()
    const {manager: parts} = await openManager(cluster(), token, packages)
    const {failures} = await runOnce(parts, new AbortController().signal)
    expect(failures.filter(({message}) => message.includes('once/'))).toEqual([])
    expect(await changesIn('once', mark)).toBe(1)
  })
})

function asTextsOf(dependencies: unknown): readonly string[] {
  return asObjects(dependencies as JsonObject[])
    .map(({name}) => asText(name))
    .sort()
}
