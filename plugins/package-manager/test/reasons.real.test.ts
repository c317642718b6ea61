import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, asTexts, type JsonObject} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {grantManager} from '../../../test/commands/cluster/manager-rights.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {checkCases} from './run/check-cases.js'
import {conditionIn, managedCluster, type RealManager, startManager} from './run/real-manager.js'
import {sampleCrd, writePackage, writeSamples} from './run/sample-packages.js'

jest.setTimeout(120_000)

const SYSTEM = 'crossplane-system'
const API = 'packages.crossplane.io/v1alpha1'
const packages = mkdtempSync(join(temporaryFolder(), 'packages-'))

function request(name: string, spec: JsonObject, kind = 'ClusterPackageInstall'): JsonObject {
  return {apiVersion: API, kind, metadata: {name, namespace: SYSTEM}, spec}
}

const QUEUE = request('queue', {package: 'example/queue:v1.0.0'})
const APP = request('app', {package: 'example/app:v1.0.0'}, 'PackageInstall')

describeCluster({version: 'current', pods: true}, 'the reasons that manager run reports', cluster => {
  let manager: RealManager | undefined
  const kube = () => cluster().kube
  const apply = async (object: JsonObject) => accepted(await kube().apply(object, {force: true}))
  const settled = async (object: JsonObject, type: 'Ready' | 'Synced', want: RegExp) =>
    conditionIn(
      await until(
        async () => (await kube().get(object)).body,
        live => want.test(conditionIn(live, type)),
        60,
      ),
      type,
    )
  const gone = async (object: JsonObject) => {
    await kube().delete(object)
    await until(
      () => kube().get(object),
      ({code}) => code === 404,
      60,
    )
  }
  const eventsOf = async (name: string) => {
    const {items} = accepted(await kube().send('GET', `/api/v1/namespaces/${SYSTEM}/events`))
    const own = asObjects(items).filter(({involvedObject}) => asObject(involvedObject).name === name)
    return own.map(({reason}) => asText(reason))
  }
  const messagesOf = async (name: string, of: string) => {
    const {items} = accepted(await kube().send('GET', `/api/v1/namespaces/${SYSTEM}/events`))
    return asObjects(items)
      .filter(({involvedObject, reason}) => asObject(involvedObject).name === name && reason === of)
      .map(({message}) => asText(message))
  }

  beforeAll(async () => {
    writeSamples(packages)
    for (const name of ['one', 'other'])
      writePackage(packages, `twins/${name}`, {
        version: 'v1.0.0',
        crds: {twin: sampleCrd('twin.example.org', 'Twin', 'twins')},
      })
    writeTree(`${packages}/example/queue@v3.0.0`, {'.registry/app.yaml': 'title: Queue\nversion: [v3]\n'})
    const token = await managedCluster(cluster(), packages, [SYSTEM])
    manager = await startManager(cluster(), token, packages)
  }, 180_000)

  afterAll(async () => {
    await manager?.stop()
  })

  checkCases(cluster, packages)

  it.each([
    {
      want: /^False ScopeMismatch .*Use a ClusterPackageInstall instead/,
      object: request('scope', {package: 'example/queue:v1.0.0'}, 'PackageInstall'),
    },
    {
      want: /^False AmbiguousOwner .*twins\/one.*twins\/other/,
      object: request('twin', {crd: 'twins.twin.example.org/v1'}),
    },
    {
      want: /^False InvalidPackage .*version/,
      object: request('invalid', {package: 'example/queue:v3.0.0'}),
    },
    {
      want: /^False InvalidRequest /,
      object: request('nothing', {}),
    },
  ])('$object.metadata.name: $want', async ({want, object}) => {
    await apply(object)
    expect(await settled(object, 'Ready', want)).toMatch(/^False/)
    expect(await settled(object, 'Synced', /^False/)).toMatch(want)
    await gone(object)
  })

  it('Conflict names the object that someone else made, and leaves it alone', async () => {
    const labels = {app: 'mine'}
    const template = {metadata: {labels}, spec: {containers: [{name: 'a', image: 'example.org/mine:v1'}]}}
    const mine = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {name: 'queue-controller', namespace: SYSTEM},
      spec: {selector: {matchLabels: labels}, template},
    }
    const before = await apply(mine)
    await apply(QUEUE)
    expect(await settled(QUEUE, 'Ready', /^False Conflict .*queue-controller/)).toMatch(/^False/)
    expect(asObject((await kube().get(mine)).body.metadata).generation).toBe(
      asObject(before.metadata).generation,
    )
    await gone(mine)
    await gone(QUEUE)
  })

  it('UpgradeFailed names what is wrong with the next version, and Ready is about the installed one', async () => {
    await apply(QUEUE)
    await settled(QUEUE, 'Synced', /^True/)
    await apply({...QUEUE, spec: {package: 'example/queue:v3.0.0'}})
    expect(await settled(QUEUE, 'Synced', /^False/)).toMatch(/^False UpgradeFailed .*version/)
    expect(await settled(QUEUE, 'Ready', /./)).toBe('True Available')
    await apply({...QUEUE, spec: {package: 'example/queue:v1.1.0'}})
    await settled(QUEUE, 'Synced', /^True/)
  })

  it('DependentsExist names the install that requires the deleted one', async () => {
    await apply(APP)
    await settled(APP, 'Synced', /^True/)
    accepted(await kube().delete(QUEUE))
    expect(await settled(QUEUE, 'Ready', /Exist/)).toMatch(/^False DependentsExist .*crossplane-system\/app/)
  })

  it('Events tell what was done', async () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {name: 'app-controller', namespace: SYSTEM},
    }
    await gone(deployment)
    await until(
      () => kube().get(deployment),
      ({code}) => code === 200,
    )
    await until(
      () => eventsOf('app'),
      reasons => reasons.includes('DriftCorrected'),
    )
    await gone(APP)
    await gone(QUEUE)
    expect(await eventsOf('app')).toEqual(expect.arrayContaining(['Installed', 'DriftCorrected', 'Deleted']))
    expect(await eventsOf('queue')).toEqual(expect.arrayContaining(['Installed', 'Upgraded', 'Deleted']))
  })

  it('DriftCorrected names each field that was taken back, and who set it', async () => {
    await apply(QUEUE)
    await settled(QUEUE, 'Synced', /^True/)
    await apply(APP)
    await settled(APP, 'Synced', /^True/)
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {name: 'app-controller', namespace: SYSTEM},
    }
    const account = {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'app', namespace: SYSTEM}}
    const patched = async (path: string, manager: string, change: JsonObject) => {
      const query = `?fieldManager=${manager}&force=true`
      accepted(await kube().send('PATCH', path + query, change, 'application/apply-patch+yaml'))
    }
    const accountPath = `/api/v1/namespaces/${SYSTEM}/serviceaccounts/app`
    const deploymentPath = `/apis/apps/v1/namespaces/${SYSTEM}/deployments/app-controller`
    // What another manager adds stays; what it changes of the install is taken back.
    await patched(accountPath, 'team-tool', {
      ...account,
      metadata: {...account.metadata, annotations: {mine: 'a'}},
    })
    const live = (await kube().get(deployment)).body
    const [container] = asObjects(asObject(asObject(asObject(live.spec).template).spec).containers)
    const image = {name: asText(container?.name), image: 'example.org/mine:v2'}
    await patched(deploymentPath, 'team-tool', {
      ...deployment,
      spec: {template: {spec: {containers: [image]}}},
    })
    const isOwn = (text: string) => text.includes('team-tool')
    const messages = await until(
      () => messagesOf('app', 'DriftCorrected'),
      texts => texts.some(isOwn),
      60,
    )
    // Those of earlier tests are there as well, in any order.
    expect(messages.find(isOwn)).toMatch(
      /^example\/app:v1\.0\.0; Deployment crossplane-system\/app-controller: changed spec\.template\.spec\.containers\[name=[\w-]+\]\.image \(set by team-tool\)$/,
    )
    expect(asObject((await kube().get(account)).body.metadata).annotations).toMatchObject({mine: 'a'})
    await gone(APP)
    await gone(QUEUE)
  })

  it('Deleting names what the CRDs of a request wait for, and the request stays until they are gone', async () => {
    await apply(QUEUE)
    await settled(QUEUE, 'Ready', /^True/)
    const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/queues.queue.example.org'
    const finalizers = async (change: (all: readonly string[]) => readonly string[]) => {
      const {metadata} = accepted(await kube().send('GET', crd))
      const patch = {metadata: {finalizers: [...change(asTexts(asObject(metadata).finalizers))]}}
      accepted(await kube().send('PATCH', crd, patch, 'application/merge-patch+json'))
    }
    await finalizers(all => [...all, 'example.org/waits'])
    accepted(await kube().delete(QUEUE))
    expect(await settled(QUEUE, 'Ready', /CustomResourceDefinition/)).toMatch(
      /^False Deleting cannot delete CustomResourceDefinition queues\.queue\.example\.org.*example\.org\/waits/,
    )
    await finalizers(all => all.filter(each => each !== 'example.org/waits'))
    await gone(QUEUE)
  })

  it('DeletionRefused names who else applies the claim on a CRD, and ends with that', async () => {
    const claim = `parent.packages.crossplane.io/${SYSTEM}-queue`
    const crd = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}
    const metadata = {name: 'queues.queue.example.org'}
    await apply(QUEUE)
    await settled(QUEUE, 'Synced', /^True/)
    await apply({...crd, metadata: {...metadata, labels: {[claim]: 'true'}}})
    accepted(await kube().delete(QUEUE))
    expect(await settled(QUEUE, 'Synced', /DeletionRefused .*"suite" also applied/)).toMatch(/^False/)
    expect(await settled(QUEUE, 'Ready', /Deleting .*queues\.queue\.example\.org/)).toMatch(/^False/)
    await apply({...crd, metadata})
    await gone(QUEUE)
    await until(
      () => kube().get({...crd, metadata}),
      ({code}) => code === 404,
      60,
    )
  })

  it('Creating is the reason while a registry does not respond', async () => {
    const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\n'
    const policy = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {name: 'kubectl-crossplane-policy', namespace: SYSTEM},
      data: {'policy.yaml': `${head}sources: ['127.0.0.1:1', docker.io/example]\n`},
    }
    await apply(policy)
    const silent = request('silent', {package: '127.0.0.1:1/x/y:v1.0.0'})
    await apply(silent)
    expect(await settled(silent, 'Ready', /^False Creating .*127\.0\.0\.1:1/)).toMatch(/^False/)
    expect(await settled(silent, 'Synced', /PullFailed .*127\.0\.0\.1:1/)).toMatch(/^False/)
    await gone(silent)
    await kube().delete(policy)
  })

  it('OriginalManagerRunning is the only Event while the original runs, and nothing is changed', async () => {
    const labels = {app: 'original'}
    const template = {metadata: {labels}, spec: {containers: [{name: 'a', image: 'example.org/a:v1'}]}}
    const original = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {name: 'crossplane-package-manager', namespace: SYSTEM},
      spec: {selector: {matchLabels: labels}, template},
    }
    const late = request('late', {package: 'example/queue:v1.0.0'})
    // Anyone may name a Deployment: that of the original can create ClusterRoleBindings.
    await grantManager(cluster(), SYSTEM)
    await apply(original)
    await apply(late)
    await until(
      () => eventsOf('late'),
      reasons => reasons.length > 0,
      60,
    )
    expect(await eventsOf('late')).toEqual(['OriginalManagerRunning'])
    const {metadata, status} = (await kube().get(late)).body
    expect([asObject(metadata).finalizers, status]).toEqual([undefined, undefined])
    await gone(original)
    await apply({...late, metadata: {...asObject(late.metadata), annotations: {again: 'true'}}})
    await settled(late, 'Synced', /^True/)
    await gone(late)
  })
})
