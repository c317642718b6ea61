import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {asObject, asText, type JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {missingPrograms} from '../cluster/find-server.js'
import type {Server} from '../cluster/servers.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'
import {type GitServer, serveGit} from './git-server.js'
import {type TreeRepository, treeRepository} from './tree-repository.js'

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

/** The suite of a layout: a tree of packages that share a CRD, reconciled by the real controller. */
export function describeReconciled(kind: ReconcilerKind): void {
  const missing = missingPrograms(kind.servers) ?? missingTool('git', ...kind.tools)
  describeReal(`a tree reconciled by ${kind.name}`, missing, () => {
    describeCluster({version: 'current', pods: true}, kind.name, cluster => {
      const folder = temporaryFolder()
      let server: GitServer
      let repository: TreeRepository
      let reconciler: Reconciler

      /** The objects of the tree in the cluster, by their files: those that are absent are left out. */
      const live = async (objects: ReadonlyMap<string, JsonObject>) => {
        const found = new Map<string, JsonObject>()
        for (const [path, object] of objects) {
          const {code, body} = await cluster().kube.get(object)
          if (code === 200) found.set(path, body)
        }
        return found
      }
      const deploy = async (provider: string, ...apps: readonly string[]) => {
        await reconciler.reconciled(await repository.commit({provider, apps}))
      }

      beforeAll(async () => {
        server = await serveGit(folder)
        const url = `${server.url}/repository.git`
        repository = treeRepository(folder, kind.flags(url))
        const commit = await repository.commit({provider: 'v0.9.0', apps: ['team-a', 'team-b']})
        reconciler = await kind.start(cluster(), url, repository)
        await reconciler.reconciled(commit)
      }, 600_000)
      afterAll(async () => {
        await reconciler.stop()
        await server.close()
      })

      it('is deployed from nothing, with the claims of all installs', async () => {
        const objects = repository.objects()
        expect([...(await live(objects)).keys()]).toEqual([...objects.keys()])
        const crd = (await live(objects)).get('crds/presses.press.example.org.yaml')
        expect(asObject(asObject(crd?.metadata).labels)).toMatchObject({
          'parent.packages.crossplane.io/team-a-example-app-press': 'true',
          'parent.packages.crossplane.io/team-b-example-app-press': 'true',
        })
      }, 60_000)

      it('does not change when it is reconciled again', async () => {
        const before = states(await live(repository.objects()))
        await reconciler.reconciled(repository.head())
        expect(states(await live(repository.objects()))).toEqual(before)
      }, 300_000)

      it('has another binding after an upgrade, and other objects are not replaced', async () => {
        const before = uids(await live(repository.objects()))
        const old = await cluster().kube.get(BINDING)
        await deploy('v0.10.0', 'team-a', 'team-b')
        const {body} = await cluster().kube.get(BINDING)
        expect(asText(asObject(body.roleRef).name)).toContain(':v0.10.0:system')
        expect(asObject(body.metadata).uid).not.toBe(asObject(old.body.metadata).uid)
        const after = uids(await live(repository.objects()))
        const replaced = [...before].filter(([path, uid]) => after.get(path) !== uid).map(([path]) => path)
        expect(replaced.filter(path => !path.includes('/clusterrole'))).toEqual([])
      }, 300_000)

      it('loses exactly the objects of an install that is removed', async () => {
        const before = repository.objects()
        const uidsBefore = uids(await live(before))
        await deploy('v0.10.0', 'team-a')
        const after = uids(await live(before))
        const lost = [...uidsBefore.keys()].filter(path => !after.has(path))
        expect(lost.filter(path => !path.startsWith('installs/team-b.example-app-press/'))).toEqual([
          ...['admin', 'edit', 'view'].map(
            persona => `base/clusterrole-crossplane-ns-team-b-${persona}.yaml`,
          ),
        ])
        const left = [...after.keys()].filter(path => path.startsWith('installs/team-b.'))
        expect(left).toEqual([])
        for (const [path, uid] of after) expect([path, uid]).toEqual([path, uidsBefore.get(path)])
        const crd = (await live(before)).get('crds/presses.press.example.org.yaml')
        const {labels} = asObject(crd?.metadata)
        expect(asObject(labels)['parent.packages.crossplane.io/team-a-example-app-press']).toBe('true')
        expect(asObject(labels)['parent.packages.crossplane.io/team-b-example-app-press']).toBeUndefined()
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
