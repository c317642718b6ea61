import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {asObject, asText, type JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {missingPrograms} from '../cluster/find-server.js'
import type {Server} from '../cluster/servers.js'
import {missingTool} from '../missing-tool.js'
import {runIn} from '../commands/cluster/installing.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'
import {type GitServer, serveGit} from './git-server.js'
import {type TreeContent, type TreeRepository, treeRepository} from './tree-repository.js'

/** A controller that reconciles a tree from Git, and runs beside a cluster. */
interface Reconciler {
  /** Makes it reconcile, and resolves when a commit is deployed and healthy. */
  reconciled(commit: string): Promise<void>
  stop(): Promise<void>
}

/** How a controller is started on a repository. */
export interface ReconcilerKind {
  readonly name: string
  readonly servers: readonly Server[]
  /** Programs that must be on PATH. */
  readonly tools: readonly string[]
  /** The flags of `package render` for its layout, for a repository at a URL. */
  flags(url: string): readonly string[]
  start(cluster: TestCluster, url: string, repository: TreeRepository): Promise<Reconciler>
}

const BINDING = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: {name: 'example-provider-cloud'},
}
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'presses.press.example.org'},
}
const CROSSPLANE_CRD = 'kubernetesapplications.workload.crossplane.io/v1alpha1'
const CLAIM = /^parent\.packages\.crossplane\.io\/(.*)-example-app-press$/

const PHASES = ['namespaces/', 'crds/', 'base/', 'installs/crossplane-system.', 'installs/team-']

const FIRST: TreeContent = {provider: 'v0.9.0', app: 'v0.1.0', apps: ['team-a', 'team-b']}
const UPGRADED: TreeContent = {...FIRST, provider: 'v0.10.0', app: 'v0.2.0'}

/**
 * The suite of a layout: trees whose packages share a CRD, reconciled by the real controller, in a cluster in which
 * `package install` adds another install of that CRD.
 */
export function describeReconciled(kind: ReconcilerKind): void {
  const missing = missingPrograms(kind.servers) ?? missingTool('git', ...kind.tools)
  describeReal(`trees reconciled by ${kind.name}`, missing, () => {
    describeCluster({version: 'current', pods: true}, kind.name, cluster => {
      const folder = temporaryFolder()
      let server: GitServer
      let repository: TreeRepository
      let reconciler: Reconciler

      const get = async (object: JsonObject) => (await cluster().kube.get(object)).body
      /** The objects of files in the cluster: those that are absent are left out. */
      const live = async (objects = repository.objects()) => {
        const found = new Map<string, JsonObject>()
        for (const [path, object] of objects) {
          const {code, body} = await cluster().kube.get(object)
          if (code === 200) found.set(path, body)
        }
        return found
      }
      const deploy = async (content: TreeContent) => reconciler.reconciled(await repository.commit(content))
      /** The namespaces whose installs claim the shared CRD. */
      const claims = async () =>
        Object.keys(asObject(asObject((await get(CRD)).metadata).labels))
          .flatMap(label => CLAIM.exec(label)?.[1] ?? [])
          .sort()
      /** As the trees have it: a CRD that Crossplane v0.12 provides is not in the cluster. */
      const resolution = () => ['--packages', repository.packages, '--assume', CROSSPLANE_CRD]
      /** Changes the install of `team-c` in the cluster, by the program. */
      const change = async (...args: string[]) => {
        const {status, stderr} = await runIn(cluster(), 'package', ...args, '--yes')
        if (status !== 0) throw new Error(stderr)
      }

      beforeAll(async () => {
        server = await serveGit(folder)
        const url = `${server.url}/repository.git`
        repository = treeRepository(folder, kind.flags(url))
        const commit = await repository.commit(FIRST)
        reconciler = await kind.start(cluster(), url, repository)
        await reconciler.reconciled(commit)
      }, 600_000)
      afterAll(async () => {
        await reconciler.stop()
        await server.close()
      })

      it('are deployed from nothing, with the claims of all installs but those of external CRDs', async () => {
        expect([...(await live()).keys()]).toEqual([...repository.objects().keys()])
        expect([...repository.objects().keys()]).toContain(
          'external/installs/team-d.example-app-press/deployment-example-app-press-controller.yaml',
        )
        expect(await claims()).toEqual(['team-a', 'team-b'])
      }, 60_000)

      it('are deployed in the order of their phases, and of what installs require', async () => {
        const objects = [...(await live())]
        const times = PHASES.map(phase =>
          objects
            .filter(([path]) => path.startsWith(`packages/${phase}`))
            .map(([, {metadata}]) => asText(asObject(metadata).creationTimestamp))
            .sort(),
        )
        const inOrder = times.flatMap(each => [each[0], each.at(-1)])
        expect(inOrder).toEqual(inOrder.toSorted())
      }, 60_000)

      it('share the CRD with an install in the cluster, and do not change when reconciled again', async () => {
        const flags = ['--namespace', 'team-c', '--create-namespace', '--adopt']
        await change('install', 'example/app-press:v0.1.0', ...flags, ...resolution())
        expect(await claims()).toEqual(['team-a', 'team-b', 'team-c'])
        const before = states(await live())
        await reconciler.reconciled(repository.head())
        expect(states(await live())).toEqual(before)
      }, 300_000)

      it('keep the content of the CRD when an upgrade in the cluster would change it', async () => {
        const before = await get(CRD)
        const args = ['upgrade', 'example/app-press:v0.2.0', ...resolution(), '--yes']
        expect(await runIn(cluster(), 'package', ...args)).toMatchObject({
          status: 5,
          stderr: expect.stringContaining('[field-conflict]'),
        })
        expect(await get(CRD)).toEqual(before)
      }, 60_000)

      it('have other bindings after an upgrade, and other objects are not replaced', async () => {
        const [before, old] = [uids(await live()), await get(BINDING)]
        await deploy(UPGRADED)
        const {roleRef, metadata} = await get(BINDING)
        expect(asText(asObject(roleRef).name)).toContain(':v0.10.0:system')
        expect(asObject(metadata).uid).not.toBe(asObject(old.metadata).uid)
        const after = uids(await live())
        const replaced = [...before].filter(([path, uid]) => after.get(path) !== uid).map(([path]) => path)
        expect(replaced.filter(path => !/\/(?:cluster)?role/.test(path))).toEqual([])
        expect(await claims()).toEqual(['team-a', 'team-b', 'team-c'])
        await change('upgrade', 'example/app-press:v0.2.0', ...resolution())
        expect(await claims()).toEqual(['team-a', 'team-b', 'team-c'])
      }, 300_000)

      it('keep the controller of an install that is being uninstalled, without its claim', async () => {
        const before = uids(await live())
        await deploy({...UPGRADED, draining: ['team-b']})
        expect(uids(await live())).toEqual(before)
        expect(await claims()).toEqual(['team-a', 'team-c'])
      }, 300_000)

      it('lose exactly the objects of an install that is removed', async () => {
        const before = repository.objects()
        const uidsBefore = uids(await live(before))
        await deploy({...UPGRADED, apps: ['team-a']})
        const after = uids(await live(before))
        const isOfTeam = (path: string) => /\/team-b\.example-app-press\/|-ns-team-b-/.test(path)
        expect(after).toEqual(new Map([...uidsBefore].filter(([path]) => !isOfTeam(path))))
        expect(await claims()).toEqual(['team-a', 'team-c'])
      }, 300_000)

      it('keep their claims, and the CRD, when the install in the cluster is removed', async () => {
        const before = uids(await live())
        await change('uninstall', 'team-c/example-app-press')
        expect(uids(await live())).toEqual(before)
        expect(await claims()).toEqual(['team-a'])
      }, 300_000)

      it('keep a CRD whose file is removed', async () => {
        const before = await get(CRD)
        await deploy({...UPGRADED, apps: []})
        const after = await get(CRD)
        expect(asObject(after.metadata).uid).toBe(asObject(before.metadata).uid)
        expect(asObject(after.metadata).deletionTimestamp).toBeUndefined()
        expect([...(await live()).keys()]).toEqual([...repository.objects().keys()])
      }, 300_000)
    })
  })
}

function uids(objects: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, string> {
  return new Map([...objects].map(([path, {metadata}]) => [path, asText(asObject(metadata).uid)]))
}

/** What every write changes; of a Deployment, whose state its own controller reports, every write of its content. */
function states(objects: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, string> {
  return new Map(
    [...objects].map(([path, {kind, metadata}]) => {
      const {generation, resourceVersion} = asObject(metadata)
      return [
        path,
        kind === 'Deployment' ? `generation ${JSON.stringify(generation)}` : asText(resourceVersion),
      ]
    }),
  )
}
