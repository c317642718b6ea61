import {afterAll, beforeAll, describe, expect, it, jest} from '@jest/globals'
import {mkdtempSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asText} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {until} from '../../../test/cluster/kube.js'
import {startRegistry} from '../../../test/fakes/registry-server.js'
import {runCli} from '../../../test/run-cli.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {managerObjects} from '../src/manifests/manager-objects.js'
import {attackCases} from './run/attack-cases.js'
import {indexCases} from './run/index-cases.js'
import {managerSuite, named, request, SYSTEM} from './run/manager-suite.js'
import {applyBase, managedCluster, type RealManager, startManager} from './run/real-manager.js'
import {onceCases} from './run/once-cases.js'
import {writeSamples, writeTemptations} from './run/sample-packages.js'
import {setVariable} from '../../../test/set-variable.js'

jest.setTimeout(120_000)

const packages = mkdtempSync(join(temporaryFolder(), 'packages-'))

// Without kubelets nothing becomes Ready; Synced is True once all is applied.
describeCluster('current', 'manager run, for those who may only create requests', cluster => {
  let manager: RealManager | undefined
  const {kube, apply, read, remove, settled, gone, policy} = managerSuite(cluster)

  let token = ''

  beforeAll(async () => {
    writeSamples(packages)
    writeTemptations(packages)
    token = await managedCluster(cluster(), packages, [SYSTEM, 'team-b'])
  }, 180_000)

  onceCases(cluster, packages)

  it('starts', async () => {
    manager = await startManager(cluster(), token, packages)
    await until(
      () => Promise.resolve(manager?.notReady()),
      problem => problem === undefined,
      60,
    )
  })

  afterAll(async () => {
    await manager?.stop()
  })

  attackCases(cluster, packages)

  it('says what is wrong with a request, in words for those who wrote it', async () => {
    await policy('')
    const unknown = request(SYSTEM, 'unknown', {package: 'registry.example.org/example/unknown:v1.0.0'})
    const upper = request(SYSTEM, 'upper', {package: 'example/UPPER:::v1'})
    for (const each of [unknown, upper]) await apply(each)
    expect(await settled(unknown, 'Ready', /^False PolicyRefused cannot read the package of /)).toMatch(
      /^False/,
    )
    expect(
      await settled(
        upper,
        'Ready',
        /^False InvalidRequest cannot read ClusterPackageInstall crossplane-system\/upper: .*not a valid package/,
      ),
    ).toMatch(/^False/)
  })

  it('pulls with the pull secrets of a request, and names the one that is missing', async () => {
    const registry = await startRegistry({demand: {kind: 'basic', username: 'anna', password: 'secret'}})
    const config = JSON.stringify({auths: {[registry.host]: {username: 'anna', password: 'secret'}}})
    const reference = `${registry.host}/example/private:v1.0.0`
    const {REGISTRY_AUTH_FILE} = process.env
    process.env.REGISTRY_AUTH_FILE = join(packages, 'auth.json')
    writeFileSync(process.env.REGISTRY_AUTH_FILE, config)
    const pushed = await runCli('package', 'push', reference, join(packages, 'example/plain@v1.0.0'))
    setVariable('REGISTRY_AUTH_FILE', REGISTRY_AUTH_FILE)
    expect(pushed).toMatchObject({status: 0})

    await policy(`sources: ['${registry.host}']\n`)
    const spec = {package: reference, imagePullSecrets: [{name: 'pull'}]}
    const locked = request(SYSTEM, 'private', spec)
    await apply(locked)
    expect(await settled(locked, 'Ready', /PullFailed .*Secret crossplane-system\/pull/)).toMatch(/^False/)
    await apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {name: 'pull', namespace: SYSTEM},
      type: 'kubernetes.io/dockerconfigjson',
      data: {'.dockerconfigjson': Buffer.from(config).toString('base64')},
    })
    const objects = managerObjects({
      ...{image: 'example.org/x:v1', namespace: SYSTEM, flags: []},
      pullSecretsFrom: [SYSTEM],
    })
    for (const each of objects) if (each.metadata.name.endsWith('pull-secrets')) await apply(each)
    expect(await settled(locked, 'Synced', /^True/)).toBe('True ReconcileSuccess')
    const {status} = (await kube().get(locked)).body
    expect(asText(asObject(asObject(status).resolved).package)).toBe(reference)
    await remove(locked)
    await gone(locked)
    await registry.close()
  })

  it('serves the kinds of an era that come later, where the oldest request of a name decides', async () => {
    const stacks = {
      ...request(SYSTEM, 'queue', {package: 'example/queue:v1.0.0'}),
      apiVersion: 'stacks.crossplane.io/v1alpha1',
      kind: 'ClusterStackInstall',
    }
    const queue = request(SYSTEM, 'queue', {package: 'example/queue:v1.0.0'})
    await policy('')
    await apply(queue)
    await settled(queue, 'Synced', /^True/)
    await applyBase(cluster(), packages, 'stacks')
    const {metadata} = await read(queue)
    const created = Date.parse(asText(asObject(metadata).creationTimestamp))
    await until(
      () => Promise.resolve(Date.now()),
      now => now > created + 1000,
      60,
    )
    await apply(stacks)
    expect(await settled(stacks, 'Synced', /./)).toMatch(
      /^False Conflict ClusterPackageInstall crossplane-system\/queue of packages\.crossplane\.io/,
    )
    await remove(stacks)
    await gone(stacks)
    expect((await kube().get(named('Deployment', 'queue-controller', SYSTEM, 'apps/v1'))).code).toBe(200)
  })

  describe('and what an index says', () => {
    beforeAll(async () => {
      await manager?.stop()
    })
    indexCases(cluster, () => token)
  })
})
