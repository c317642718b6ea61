import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync, renameSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {auditOf} from '../../../test/cluster/audit.js'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, connect, until} from '../../../test/cluster/kube.js'
import {missingMounts} from '../../../test/cluster/pod-files.js'
import {type WatchedServer, watchedServer} from '../../../test/cluster/watched-server.js'
import {describeReal} from '../../../test/real-parts.js'
import {random} from '../../../test/shuffled.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {differences} from './run/differences.js'
import {managerKubeconfig, ManagerProcess} from './run/manager-process.js'
import {conditionIn, managedCluster, managerToken} from './run/real-manager.js'
import {writeSamples} from './run/sample-packages.js'

/** More of them with another number: `MANAGER_KILLS=200`. */
const KILLS = Number(process.env.MANAGER_KILLS ?? 8)
const QUARTER = Math.ceil(KILLS / 4)
/** Repeats a run: the kills come at the same times. */
const SEED = Number(process.env.STORY_SEED ?? Date.now() % 1_000_000)
/** Seconds that the managers have nothing to do: watches are opened again each minute. */
const IDLE = process.env.SOAK_MINUTES === undefined ? 5 : 90
/** Requests that one life of a process sends at most, with all passes over five requests. */
const MAX_REQUESTS = 600

jest.setTimeout(240_000 + KILLS * 10_000)

const [SYSTEM, API] = ['crossplane-system', 'packages.crossplane.io/v1alpha1']
const MANAGER = `system:serviceaccount:${SYSTEM}:kubectl-crossplane-manager`
const packages = mkdtempSync(join(temporaryFolder(), 'packages-'))
const POLICY = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: Policy
owners: {app.example.org: example/app}
manager: {namespaces: [team], clusterNamespaces: [other]}
`

function request(namespace: string, name: string, reference: string, replicas = 1): JsonObject {
  const kind = namespace === SYSTEM ? 'ClusterPackageInstall' : 'PackageInstall'
  const annotations = {'kubectl-crossplane.dev/runtime': JSON.stringify({replicas})}
  const metadata = {name, namespace, ...(namespace === 'team' ? {} : {annotations})}
  return {apiVersion: API, kind, metadata, spec: {package: reference}}
}

const WAITING = request(SYSTEM, 'lonely', 'example/lonely:v1.0.0')
const REFUSED = request(SYSTEM, 'node', 'example/node:v1.0.0')

interface Replica {
  readonly process: ManagerProcess
  /** Where it sends its requests. */
  readonly server?: WatchedServer
}

/** Each version of a package has roles of its own, and the binding to another role is another one. */
const OF_A_VERSION = /^\/(?:package:crossplane-system:queue:\S+|queue) /

const CONDITIONS = [
  'crossplane-system/lonely False WaitingForDependency',
  'crossplane-system/node False PermissionRefused',
  'crossplane-system/queue True Available',
  'other/app True Available',
  'team/app True Available',
]

describeCluster({version: 'current', pods: true}, `managers, killed (seed ${SEED})`, cluster => {
  const next = random(SEED)
  let kubeconfig = ''
  let changes = 0
  let running: Replica[] = []

  const kube = () => cluster().kube
  const apply = async (object: JsonObject) => accepted(await kube().apply(object, {force: true}))
  const read = async (object: JsonObject) => (await kube().get(object)).body
  const queue = () => request(SYSTEM, 'queue', `example/queue:v1.${changes % 2}.0`, 1 + (changes % 3))
  const apps = () => [
    request('team', 'app', 'example/app:v1.0.0'),
    request('other', 'app', 'example/app:v1.0.0', 2 - (changes % 2)),
  ]
  /** Changes what is requested. */
  const change = async () => {
    changes++
    for (const each of [queue(), ...apps(), WAITING, REFUSED]) await apply(each)
  }
  const flags = ['--packages', packages, '--no-cache']
  const start = () => {
    const process = new ManagerProcess([...flags, '--kubeconfig', kubeconfig])
    running.push({process})
    return process
  }
  const startReplica = async () => {
    const server = await watchedServer({kubeconfig})
    const process = new ManagerProcess([...flags, '--leader-elect', '--kubeconfig', server.kubeconfig])
    running.push({process, server})
  }
  /** Waits for a leader, other than one that has been. */
  const leader = async (former?: Replica) => {
    const metadata = {name: 'kubectl-crossplane-manager', namespace: SYSTEM}
    const lease = {apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata}
    const holder = async () => {
      const {spec} = await read(lease)
      const text = asText(asObject(spec).holderIdentity)
      return running.find(({process}) => text.includes(`process ${process.pid},`))
    }
    return (await until(holder, found => found !== undefined && found !== former, 90))!
  }
  /** A process that is killed leaves Leases behind, which expire after 20 seconds. */
  const expire = async () => {
    for (const namespace of [SYSTEM, 'team', 'other'])
      accepted(await kube().send('DELETE', `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`))
  }
  const end = async (signal: NodeJS.Signals) => {
    const statuses = await Promise.all(running.map(({process}) => process.end(signal)))
    for (const {server} of running) await server?.close()
    running = []
    return statuses
  }
  /** Kills processes at random moments of their start and their work. */
  const killOften = async (count: number, before: () => Promise<void> = () => Promise.resolve()) => {
    for (let kill = 0; kill < count; kill++) {
      await before()
      start()
      await setTimeout(300 + next() * 2500)
      await end('SIGKILL')
      await expire()
    }
  }
  const conditions = async () => {
    const kinds = ['clusterpackageinstalls', 'packageinstalls']
    const lists = await Promise.all(kinds.map(kind => kube().send('GET', `/apis/${API}/${kind}`)))
    return lists
      .flatMap(({body}) => asObjects(body.items))
      .map(live => {
        const {namespace, name} = asObject(live.metadata)
        const condition = conditionIn(live, 'Ready').split(' ', 2).join(' ')
        return `${asText(namespace)}/${asText(name)} ${condition}`
      })
  }
  /** How the objects differ from what is requested. */
  const unlike = async () => {
    const found: string[] = []
    for (const object of [queue(), ...apps()]) {
      const reference = asText(asObject(object.spec).package)
      const {annotations} = asObject(object.metadata)
      const runtime = asText(asObject(annotations)['kubectl-crossplane.dev/runtime'])
      const [, replicas] = /:(\d+)\}$/.exec(runtime) ?? []
      const options = ['--packages', packages, ...(replicas === undefined ? [] : ['--replicas', replicas])]
      found.push(...(await differences(cluster(), {reference, object}, options)).texts)
    }
    return found
  }
  /** Adds the conditions and logs to a failure. */
  const withLogs = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      const logs = running.map(({process}) => process.log).join('\n')
      throw new Error(`${String(error)}\n${JSON.stringify(await conditions())}\n${logs}`)
    }
  }
  const settled = async () => {
    const isWanted = (found: readonly string[]) => found.join() === CONDITIONS.join()
    await withLogs(async () => {
      await until(conditions, isWanted, 90)
      await until(unlike, found => found.length === 0, 60)
      await until(conditions, isWanted, 60)
    })
  }
  /** The objects of installs, by their uids. */
  const everything = async () => {
    const paths = ['/api/v1/serviceaccounts', '/apis/apps/v1/deployments', `/apis/${API}/packages`]
    const rbac = ['clusterroles', 'clusterrolebindings', 'rolebindings']
    const all = [...paths, ...rbac.map(each => `/apis/rbac.authorization.k8s.io/v1/${each}`)]
    const lists = await Promise.all(
      [...all, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'].map(path =>
        kube().send('GET', path),
      ),
    )
    return lists
      .flatMap(({body}) => asObjects(body.items))
      .map(({metadata}) => asObject(metadata))
      .filter(
        ({labels, name}) =>
          asObject(labels)['core.crossplane.io/parent-kind'] !== undefined ||
          asText(name).endsWith('.example.org'),
      )
      .map(({namespace, name, uid}) => `${asText(namespace)}/${asText(name)} ${asText(uid)}`)
      .sort()
  }
  const objects = async () => (await everything()).filter(text => !OF_A_VERSION.test(text))
  const sent = async (mark: number) =>
    (await auditOf(cluster()).since(mark)).filter(({user}) => user === MANAGER)

  beforeAll(async () => {
    writeSamples(packages)
    const token = await managedCluster(cluster(), packages, [SYSTEM, 'team', 'other'])
    kubeconfig = managerKubeconfig(cluster(), token)
    const metadata = {name: 'kubectl-crossplane-policy', namespace: SYSTEM}
    await apply({apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {'policy.yaml': POLICY}})
  }, 180_000)

  afterAll(async () => {
    await end('SIGKILL')
  })

  it(`installs what is requested, with ${QUARTER} kills`, async () => {
    await change()
    await killOften(QUARTER)
    start()
    await settled()
    await end('SIGTERM')
  })

  it(`creates no object anew while requests change, with ${2 * QUARTER} kills`, async () => {
    const [before, mark] = [await objects(), await auditOf(cluster()).mark()]
    await killOften(2 * QUARTER, change)
    start()
    await settled()
    const requests = await sent(mark)
    expect(await objects()).toEqual(before)
    const deletions = requests.filter(({verb, resource}) => verb === 'delete' && resource !== 'leases')
    expect(deletions.filter(({name}) => !OF_A_VERSION.test(`/${name} `))).toEqual([])
    expect(requests.length).toBeLessThan((2 * QUARTER + 1) * MAX_REQUESTS)
    await end('SIGTERM')
  })

  it('continues when a leader is cut off from the API server, and the next one is killed', async () => {
    const before = await objects()
    for (let replica = 0; replica < 3; replica++) await startReplica()
    const deposed = await leader()
    await change()
    deposed.server?.partition(true)
    const cut = deposed.server?.forwarded.length
    const next = await leader(deposed)
    // It ends before its Lease expires: nothing that it sends late can follow changes of the next leader.
    expect(await deposed.process.ended()).not.toBe(0)
    expect(deposed.server?.forwarded.slice(cut)).toEqual([])
    expect(deposed.process.log).toContain('was lost')
    await change()
    await next.process.end('SIGKILL')
    await expire()
    await leader(next)
    await settled()
    expect(await objects()).toEqual(before)
  })

  it('sends nothing but watches and Leases while nothing changes', async () => {
    await startReplica()
    const others = async () => {
      const mark = await auditOf(cluster()).mark()
      await setTimeout(IDLE * 1000)
      return (await sent(mark)).filter(({verb, resource}) => verb !== 'watch' && resource !== 'leases')
    }
    // Passes that began before may still be running.
    expect(await until(others, ({length}) => length === 0, 2 * IDLE + 60)).toEqual([])
    await end('SIGTERM')
  })

  describeReal('in a Pod', missingMounts(), () => {
    it('continues with a token that replaces one that is no longer valid', async () => {
      const files = join(cluster().folder, 'pod')
      const secret = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'token', namespace: SYSTEM}}
      const bound = {boundObjectRef: {apiVersion: 'v1', kind: 'Secret', name: 'token'}}
      await apply(secret)
      const first = await managerToken(cluster(), bound)
      writeTree(files, {token: first, 'ca.crt': cluster().ca, namespace: SYSTEM})
      running.push({process: new ManagerProcess(flags, {files, url: cluster().url})})
      await change()
      await settled()
      writeTree(files, {'next-token': await managerToken(cluster())})
      renameSync(join(files, 'next-token'), join(files, 'token'))
      accepted(await kube().delete(secret))
      const {url, ca} = cluster()
      const rejected = connect({url, ca, token: first})
      await until(
        () => rejected.send('GET', '/apis'),
        ({code}) => code === 401,
        60,
      )
      rejected.close()
      await change()
      await settled()
      await end('SIGTERM')
    })
  })

  it(`leaves nothing when requests are deleted, with ${QUARTER} kills`, async () => {
    for (const each of [...apps(), queue(), WAITING, REFUSED]) accepted(await kube().delete(each))
    await killOften(QUARTER)
    const mark = await auditOf(cluster()).mark()
    start()
    await withLogs(async () => {
      await until(conditions, ({length}) => length === 0, 90)
      // A request goes last, its CRDs before it.
      expect(await everything()).toEqual([])
      // All may be gone before this process has started.
      await until(
        () => sent(mark),
        ({length}) => length > 0,
        60,
      )
    })
    expect(await end('SIGTERM')).toEqual([143])
  })
})
