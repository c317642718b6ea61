import {describe, expect, it} from '@jest/globals'
import {systemClock} from '../../../src/adapters/system-clock.js'
import {waitUntilReady} from '../../../src/observe/readiness/wait.js'
import {CrossplaneError} from '../../../src/errors.js'
import type {ObjectName} from '../../../src/kubernetes/object-name.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'

function wait(cluster: TestCluster, object: ObjectName, seconds: number): Promise<void> {
  return waitUntilReady([object], {api: openApi(cluster), clock: systemClock, timeout: seconds * 1000})
}

/** The reasons for which waiting fails. */
async function reasonsOf(waiting: Promise<void>): Promise<readonly string[]> {
  const error: unknown = await waiting.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  if (!(error instanceof CrossplaneError)) throw new Error(`not a timeout: ${String(error)}`)
  expect(error.code).toBe('timeout')
  return error.diagnostics.map(({message}) => message)
}

describe.each(['current', '1.20'] as const)('waiting for CRDs of Kubernetes %s', version => {
  describeCluster(version, `CRDs of ${version}`, cluster => {
    it('ends when their objects can be created', async () => {
      const api = openApi(cluster())
      const crd = crdOf('widgets', 'Widget')
      await api.apply(crd, {manager: 'suite'})
      await wait(cluster(), nameOf(crd), 30)
      const {created} = await api.apply(
        {apiVersion: 'example.org/v1', kind: 'Widget', metadata: {name: 'one'}},
        {manager: 'suite'},
      )
      expect(created).toBe(true)
    })

    it('fails at once for names that another CRD has', async () => {
      const other = crdOf('gadgets', 'Widget')
      await openApi(cluster()).apply(other, {manager: 'suite'})
      expect(await reasonsOf(wait(cluster(), nameOf(other), 30))).toEqual([
        expect.stringContaining('gadgets.example.org is not ready: its names are not accepted'),
      ])
    })

    it('fails for missing objects and for objects that are being deleted', async () => {
      const api = openApi(cluster())
      const missing = {...nameOf(crdOf('nothings', 'Nothing'))}
      expect(await reasonsOf(wait(cluster(), missing, 0))).toEqual([
        expect.stringContaining('it does not exist'),
      ])
      const held = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'held', namespace: 'default'}}
      await api.create(
        {...held, metadata: {...held.metadata, finalizers: ['example.org/held']}},
        {manager: 'suite'},
      )
      await api.delete(nameOf(held))
      expect(await reasonsOf(wait(cluster(), nameOf(held), 0))).toEqual([
        'ConfigMap default/held is not ready: it is being deleted',
      ])
    })

    it('stops with the reason of the signal', async () => {
      const signal = AbortSignal.abort(new Error('interrupted'))
      const options = {api: openApi(cluster()), clock: systemClock, timeout: 1000, signal}
      await expect(waitUntilReady([nameOf(crdOf('widgets', 'Widget'))], options)).rejects.toThrow(
        'interrupted',
      )
    })
  })
})

describeCluster({version: 'current', pods: true}, 'waiting for Deployments', cluster => {
  it('ends when they are available', async () => {
    await openApi(cluster()).apply(deployment('good'), {manager: 'suite'})
    await wait(cluster(), nameOf(deployment('good')), 60)
  }, 90_000)

  it('reports why their Pods cannot be scheduled', async () => {
    await openApi(cluster()).apply(deployment('nowhere', {nodeSelector: {none: 'such'}}), {manager: 'suite'})
    expect(await reasonsOf(wait(cluster(), nameOf(deployment('nowhere')), 5))).toEqual([
      expect.stringMatching(
        /^Deployment default\/nowhere is not ready: 0 of 1 replicas are available; its Pod cannot be scheduled: /,
      ),
    ])
  }, 30_000)

  it('reports an exceeded quota', async () => {
    const api = openApi(cluster())
    await api.apply({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'small'}}, {manager: 'suite'})
    const quota = {apiVersion: 'v1', kind: 'ResourceQuota', metadata: {name: 'none', namespace: 'small'}}
    await api.apply({...quota, spec: {hard: {pods: '0'}}}, {manager: 'suite'})
    await until(
      () => api.get(nameOf(quota)),
      found => found?.status !== undefined && JSON.stringify(found.status).includes('"hard"'),
    )
    const many = deployment('many')
    await api.apply({...many, metadata: {...many.metadata, namespace: 'small'}}, {manager: 'suite'})
    expect(await reasonsOf(wait(cluster(), {...nameOf(many), namespace: 'small'}, 5))).toEqual([
      expect.stringContaining('exceeded quota: none'),
    ])
  }, 30_000)

  it('reports how their containers fail, with the messages of a kubelet', async () => {
    const {kube} = cluster()
    await openApi(cluster()).apply(deployment('crash'), {manager: 'suite'})
    await wait(cluster(), nameOf(deployment('crash')), 60)
    const pods = accepted(await kube.send('GET', '/api/v1/namespaces/default/pods?labelSelector=app%3Dcrash'))
    const [pod] = pods.items as readonly {readonly metadata: {readonly name: string}}[]
    // What a kubelet writes when a container ends again and again.
    const state = {waiting: {reason: 'CrashLoopBackOff', message: 'back-off 10s'}}
    const lastState = {terminated: {exitCode: 2, reason: 'Error', message: 'unknown flag: --x'}}
    const status = {
      name: 'web',
      image: 'example',
      imageID: '',
      ready: false,
      restartCount: 3,
      state,
      lastState,
    }
    const conditions = ['Ready', 'ContainersReady'].map(type => ({type, status: 'False'}))
    accepted(
      await kube.send(
        'PATCH',
        `/api/v1/namespaces/default/pods/${pod?.metadata.name ?? ''}/status`,
        {status: {containerStatuses: [status], conditions}},
        'application/strategic-merge-patch+json',
      ),
    )
    await until(
      () => kube.get(deployment('crash')),
      ({body}) => !JSON.stringify(body.status).includes('"availableReplicas":1'),
    )
    expect(await reasonsOf(wait(cluster(), nameOf(deployment('crash')), 2))).toEqual([
      'Deployment default/crash is not ready: 0 of 1 replicas are available; container "web" exits with 2: "unknown flag: --x"',
    ])
  }, 90_000)
})

function nameOf({
  apiVersion,
  kind,
  metadata,
}: {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {readonly name: string; readonly namespace?: string}
}): ObjectName {
  const {name, namespace} = metadata
  return {apiVersion, kind, name, ...(namespace === undefined ? {} : {namespace})}
}

function crdOf(plural: string, kind: string) {
  const schema = {openAPIV3Schema: {type: 'object'}}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.example.org`},
    spec: {
      group: 'example.org',
      names: {kind, plural},
      scope: 'Namespaced',
      versions: ['v1', 'v2'].map(name => ({name, served: true, storage: name === 'v1', schema})),
    },
  }
}

function deployment(name: string, more: JsonObject = {}) {
  const labels = {app: name}
  const containers = [{name: 'web', image: 'registry.example.org/web:1'}]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name, namespace: 'default'},
    spec: {
      replicas: 1,
      selector: {matchLabels: labels},
      template: {metadata: {labels}, spec: {containers, ...more}},
    },
  }
}
