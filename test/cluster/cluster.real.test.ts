import {describe, expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync, readdirSync} from 'node:fs'
import {createInterface} from 'node:readline'
import {asObject, asObjects} from '../../src/yaml/json-value.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {describeReal} from '../real-parts.js'
import {startCluster} from './api-server.js'
import {describeCluster} from './describe-cluster.js'
import {missingServers} from './find-server.js'
import {accepted, connect, until} from './kube.js'
import type {KubernetesVersion} from './servers.js'

const versions: readonly {version: KubernetesVersion; says: string; crds: readonly string[]}[] = [
  {version: 'current', says: 'v1.36.3', crds: ['v1']},
  {version: '1.20', says: 'v1.20.2', crds: ['v1', 'v1beta1']},
]

describe.each(versions)('Kubernetes $version', ({version, says, crds}) => {
  describeCluster(version, `serves ${version}`, cluster => {
    it('reports its version', async () => {
      const {gitVersion} = accepted(await cluster().kube.send('GET', '/version'))
      expect(gitVersion).toBe(says)
    })

    it(`serves CRDs of ${crds.join(' and ')}`, async () => {
      const group = accepted(await cluster().kube.send('GET', '/apis/apiextensions.k8s.io'))
      expect(asObjects(group.versions).map(each => each.version)).toEqual(crds)
    })

    it('permits the administrator everything, and other users only what RBAC permits', async () => {
      const {url, ca, tokens, kube} = cluster()
      const codes = await Promise.all(
        [tokens.admin, tokens.nobody, 'made-up'].map(async token => {
          const user = connect({url, ca, token})
          const answers = [await user.send('GET', '/version'), await user.send('GET', secretPath)]
          user.close()
          return answers.map(({code}) => code)
        }),
      )
      expect(codes).toEqual([
        [200, 404],
        [200, 403],
        [401, 401],
      ])
      accepted(await kube.create(readerRole))
      accepted(await kube.create(readerBinding))
      const nobody = connect({url, ca, token: tokens.nobody})
      await until(
        () => nobody.send('GET', secretPath),
        ({code}) => code === 404,
      )
      nobody.close()
    })

    it('creates resources of a CRD, validates them against its schema, and deletes them', async () => {
      const {kube} = cluster()
      accepted(await kube.create(crd, {dryRun: true}))
      expect((await kube.get(crd)).code).toBe(404)
      accepted(await kube.create(crd))
      await until(
        () => kube.get(crd),
        ({body}) => isTrue(body, 'Established'),
      )
      // Established is said a moment before the resource is served.
      await until(
        () => kube.create(widget(3)),
        ({code}) => code !== 404,
      )
      expect(asObject(accepted(await kube.get(widget(3))).spec)).toEqual({size: 3})
      expect((await kube.replace(widget('three'))).code).toBe(422)
      expect(asObject(accepted(await kube.apply(widget(4), {force: true})).spec)).toEqual({size: 4})
      // A 1.20 that was built with a newer Go than its own, and not repaired, takes zero values for null.
      const zeros = {...named('example.org/v1', 'Widget', 'zeros'), spec: {size: 0, note: '', on: false}}
      expect(asObject(accepted(await kube.create(zeros)).spec)).toEqual(zeros.spec)
      accepted(await kube.delete(widget(4)))
      expect((await kube.get(widget(4))).code).toBe(404)
    })

    it('reports conflicts between owners of a field', async () => {
      const {kube} = cluster()
      const config = (value: string) => ({...named('v1', 'ConfigMap', 'owned'), data: {key: value}})
      accepted(await kube.apply(config('mine'), {manager: 'one'}))
      const {code, body} = await kube.apply(config('yours'), {manager: 'two'})
      expect([code, body.reason]).toEqual([409, 'Conflict'])
      accepted(await kube.apply(config('yours'), {manager: 'two', force: true}))
    })
  })
})

describeCluster({version: 'current', pods: true}, 'Pods', cluster => {
  it('are accepted, scheduled, and make a Deployment available', async () => {
    const {kube} = cluster()
    accepted(await kube.create(pod))
    accepted(await kube.create(deployment))
    await until(
      () => kube.get(pod),
      ({body}) => isTrue(body, 'Ready'),
      60,
    )
    const {body} = await until(
      () => kube.get(deployment),
      answer => asObject(answer.body.status).availableReplicas === 2,
      60,
    )
    expect(isTrue(body, 'Available')).toBe(true)
    expect(asObject((await kube.get(pod)).body.spec).nodeName).toBe('node')
  }, 130_000)
})

describeReal('a stopped cluster', missingServers({version: 'current'}), () => {
  it('leaves no process and no folder', async () => {
    const cluster = await startCluster({version: 'current'})
    const {folder, pids} = cluster
    expect(processesOf(folder)).toEqual(pids)
    await cluster.stop()
    await cluster.stop()
    expect([processesOf(folder), existsSync(folder)]).toEqual([[], false])
  }, 180_000)

  it.each([
    {signal: 'SIGINT', reason: 'Ctrl-C', want: {code: 0, signal: null}},
    {signal: 'SIGKILL', reason: 'nothing of ours can run any more', want: {code: null, signal: 'SIGKILL'}},
  ] as const)(
    'leaves none after $signal either: $reason',
    async ({signal, want}) => {
      const up = spawn(
        process.execPath,
        ['--import', './test/cluster/typescript.mjs', 'test/cluster/up.ts'],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      const folder = await folderSaidBy(up.stdout)
      expect(processesOf(folder)).toHaveLength(2)
      up.kill(signal)
      const [code, killedBy] = (await once(up, 'exit')) as [number | null, string | null]
      expect({code, signal: killedBy}).toEqual(want)
      await until(
        () => Promise.resolve([processesOf(folder).length, existsSync(folder)]),
        ([count, there]) => count === 0 && there === false,
        10,
      )
    },
    180_000,
  )
})

/** The ids of the processes that were started with this folder among their arguments, in order. */
function processesOf(folder: string): readonly number[] {
  const isServer = (id: string) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8')
        .split('\0')
        .some(each => each.includes(`=${folder}`))
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && isServer(name))
    .map(Number)
    .sort((a, b) => a - b)
}

/** The folder of the cluster that `cluster:up` printed a kubeconfig of. */
async function folderSaidBy(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stdout)) {
    const [, folder] = /^export KUBECONFIG=(.*)\/kubeconfig$/.exec(line) ?? []
    if (folder !== undefined) return folder
  }
  throw new Error('cluster:up ended without a kubeconfig')
}

function named(apiVersion: string, kind: string, name: string) {
  return {apiVersion, kind, metadata: {name}}
}

function isTrue(object: JsonObject, condition: string): boolean {
  const found = asObjects(asObject(object.status).conditions).find(({type}) => type === condition)
  return found?.status === 'True'
}

const secretPath = '/api/v1/namespaces/default/secrets/none'

const rbac = 'rbac.authorization.k8s.io'
const readerRole = {
  ...named(`${rbac}/v1`, 'Role', 'reader'),
  rules: [{apiGroups: [''], resources: ['secrets'], verbs: ['get']}],
}
const readerBinding = {
  ...named(`${rbac}/v1`, 'RoleBinding', 'reader'),
  roleRef: {apiGroup: rbac, kind: 'Role', name: 'reader'},
  subjects: [{apiGroup: rbac, kind: 'User', name: 'nobody'}],
}

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {size: {type: 'integer'}, note: {type: 'string'}, on: {type: 'boolean'}},
    },
  },
}
const crd = {
  ...named('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.org'),
  spec: {
    group: 'example.org',
    names: {kind: 'Widget', plural: 'widgets'},
    scope: 'Namespaced',
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
  },
}

function widget(size: number | string) {
  return {...named('example.org/v1', 'Widget', 'one'), spec: {size}}
}

const podSpec = {containers: [{name: 'web', image: 'registry.example.org/web:1'}]}
const pod = {...named('v1', 'Pod', 'alone'), spec: podSpec}
const deployment = {
  ...named('apps/v1', 'Deployment', 'web'),
  spec: {
    replicas: 2,
    selector: {matchLabels: {app: 'web'}},
    template: {metadata: {labels: {app: 'web'}}, spec: podSpec},
  },
}
