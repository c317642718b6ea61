import {join} from 'node:path'
import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {accepted, until} from '../cluster/kube.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {missingPrograms} from '../cluster/find-server.js'
import type {Server} from '../cluster/servers.js'
import {missingTool} from '../missing-tool.js'
import {runIn} from '../commands/cluster/installing.js'
import {owner} from '../commands/locked-world.js'
import {describeCorpus} from '../corpus.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {type GitServer, serveGit} from './git-server.js'
import {DRIFTING, expectInjectedDrift, expectNoDrift} from './injected-drift.js'
import {EARLIER, type TreeContent, type TreeRepository, treeRepository} from './tree-repository.js'
import {
  deploy as deployWithInstances,
  publishNeighbors,
  upgradeNeighborsThroughGit,
  upgradeThroughGit,
} from './upgrade-through-git.js'

/** A controller that reconciles a tree from Git, and runs beside a cluster. */
export interface Reconciler {
  /** The name by which it changes objects. */
  readonly manager: string
  /** Makes it apply the objects of a folder, without a home, as they are in the last commit. @param prune - deletes what leaves the folder. */
  startFolder(folder: string, prune?: boolean): Promise<void>
  /** Ends that, and leaves the objects. */
  stopFolder(folder: string): Promise<void>
  /** Applies the file by which a controller starts on a tree. */
  startTree(tree: string): Promise<void>
  /** Does what the guide says for a tree of an earlier version: the file is applied again. */
  restartTree(tree: string): Promise<void>
  /** Deletes what reconciles a tree, by the name of the tree, and with it all objects but CRDs and Namespaces. */
  stopTree(name: string): Promise<void>
  /** Resolves when a part of a tree has failed for a cause. */
  failed(unit: string, cause: string): Promise<void>
  /** How often a part has been retried in its last sync. */
  retries(unit: string): Promise<number>
  /** Resolves when a commit is deployed and healthy without any request. */
  settled(commit: string): Promise<void>
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
  readonly layout: 'flux' | 'argocd'
  /** Whether installs are deployed after those that they require, not only until they succeed. */
  readonly ordersInstalls: boolean
  /** The flags of `package render` for its layout, for a repository at a URL. */
  flags(url: string): readonly string[]
  start(
    cluster: TestCluster,
    url: string,
    repository: Pick<TreeRepository, 'read' | 'has'>,
  ): Promise<Reconciler>
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

/** CRDs before the other objects of their install. */
const PHASES = ['.example.org.yaml', '.yaml'].map(end => ({
  folder: 'packages/installs/crossplane-system.example-provider-cloud/',
  end,
}))
/** What installs share, and installs before those that require them. */
const INSTALLS = ['namespaces/', 'installs/crossplane-system.', 'installs/team-'].map(folder => ({
  folder: `packages/${folder}`,
  end: '.yaml',
}))

/** The name of a Secret that does not exist. */
const MISSING_SECRET = 'not-there'
const ADDON = 'packages-crossplane-system.example-addon-backup'
/** Neighboring versions of which the second lacks versions of CRDs, by layout; all pairs are in test/soak/gitops.soak.ts. */
const LOSING_VERSIONS = {
  flux: {name: 'provider-azure', from: 'v0.2.1', to: 'v0.3.0', want: 'rejected'},
  argocd: {name: 'provider-gcp', from: 'v0.5.0', to: 'v0.6.0', want: 'rejected'},
}

const deploymentOf = (namespace: string, name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {namespace, name},
})

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
        repository = treeRepository(folder, url, {
          layout: kind.layout,
          flags: kind.flags(url),
          earlier: `earlier-${kind.layout}.json`,
        })
        reconciler = await kind.start(cluster(), url, repository)
      }, 300_000)
      afterAll(async () => {
        await reconciler.stop()
        await server.close()
      })

      it('are deployed to an empty cluster by the first command of the guide', async () => {
        const commit = await repository.followGuide(kind.layout)
        await reconciler.startTree('packages')
        await reconciler.reconciled(commit)
        const paths = [...repository.objects().keys()]
        expect([...(await live()).keys()]).toEqual(paths)
        expect(paths).toEqual(
          expect.arrayContaining([
            'packages/base/packages.packages.crossplane.io.yaml',
            'packages/installs/crossplane-system.example-provider-queue/deployment-example-provider-queue-controller.yaml',
            'packages/namespaces/crossplane-system.yaml',
          ]),
        )
      }, 400_000)

      it('are deployed from nothing, with the claims of all installs but those of external CRDs', async () => {
        const commit = await repository.commit(FIRST)
        for (const tree of ['external', EARLIER]) await reconciler.startTree(tree)
        await reconciler.reconciled(commit)
        expect([...(await live()).keys()]).toEqual([...repository.objects().keys()])
        expect([...repository.objects().keys()]).toContain(
          'external/installs/team-d.example-app-press/deployment-example-app-press-controller.yaml',
        )
        expect(await claims()).toEqual(['team-a', 'team-b'])
      }, 400_000)

      it('are deployed in the order of their phases, and of what installs require', async () => {
        const objects = [...(await live())]
        const timesOf = (groups: typeof PHASES) =>
          groups.map(({folder: path, end}) =>
            objects
              .filter(([each]) => each.startsWith(path) && each.endsWith(end))
              .map(([, {metadata}]) => asText(asObject(metadata).creationTimestamp))
              .sort(),
          )
        const [crds, all] = timesOf(PHASES)
        expect(crds?.at(0)).toBe(all?.at(0))
        const inOrder = timesOf(INSTALLS).flatMap(each => [each.at(0), each.at(-1)])
        if (kind.ordersInstalls) expect(inOrder).toEqual(inOrder.toSorted())
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
          stderr: expect.stringMatching(
            / from Git, and would undo a change in the cluster \[object-unmanaged\]/,
          ),
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

      it('lose no object when the layout of an earlier version is replaced', async () => {
        const before = new Map([...repository.objects()].filter(([path]) => path.startsWith(`${EARLIER}/`)))
        const uidsBefore = uids(await live(before))
        expect(uidsBefore.size).toBe(before.size)
        const commit = await repository.migrate()
        await reconciler.failed(EARLIER, `apply-${kind.layout}-start.yaml`)
        expect(uids(await live(before))).toEqual(uidsBefore)
        await reconciler.restartTree(EARLIER)
        await reconciler.reconciled(commit)
        expect(uids(await live(before))).toEqual(uidsBefore)
      }, 400_000)

      it('move custom resources to another version of their CRD, in commits that are all deployed', async () => {
        const source = writeTree(join(folder, 'migrated-packages'), {
          ...owner('v1.0.0', 'topics', 'v1alpha3'),
          ...owner('v2.0.0', 'topics', 'v1beta1'),
        })
        const place = {cluster: cluster(), home: repository.home('migrated', source, cluster()), reconciler}
        await deployWithInstances(place, 'x/topics:v1.0.0', ['topics.x.example.org'])
        expect(await upgradeThroughGit(place, 'x/topics:v2.0.0', ['topics.x.example.org'])).toBe('migrated')
        const {spec} = await get({...CRD, metadata: {name: 'topics.x.example.org'}})
        expect(asObjects(asObject(spec).versions).map(({name}) => name)).toEqual(['v1beta1'])
      }, 600_000)

      it('do not drift, and what the controller changes elsewhere is named with its manager', async () => {
        const source = writeTree(join(folder, 'drifting-packages'), DRIFTING)
        const place = {
          cluster: cluster(),
          home: repository.home('drifting', source, cluster(), 'plain'),
          reconciler,
        }
        for (const path of ['.', 'migrated']) await expectNoDrift(place, path)
        await expectInjectedDrift(place)
      }, 600_000)

      describeCorpus('and real providers', () => {
        it.each([LOSING_VERSIONS[kind.layout]])(
          'upgrade $name from $from to $to, or reject it before a commit',
          async pair => {
            const source = join(folder, `${pair.name}-packages`)
            publishNeighbors(source, pair)
            const home = repository.home(pair.name.replace(/^provider-/, ''), source, cluster())
            const place = {cluster: cluster(), home, reconciler}
            expect(await upgradeNeighborsThroughGit(place, pair)).toBe(pair.want)
          },
          600_000,
        )
      })

      it('deploy a fix without a hand, and a broken package stops no other', async () => {
        for (const object of secretPolicy()) accepted(await cluster().kube.create(object))
        const content = {...UPGRADED, apps: ['team-e'], addon: true}
        await repository.commit({...content, pullSecret: MISSING_SECRET})
        await reconciler.failed(ADDON, `no Secret ${MISSING_SECRET}`)
        const isThere = async (namespace: string, name: string) =>
          (await cluster().kube.get(deploymentOf(namespace, name))).code === 200
        await until(
          () => isThere('team-e', 'example-app-press-controller'),
          each => each,
          240,
        )
        expect(await isThere('crossplane-system', 'example-addon-backup-controller')).toBe(false)
        const retries = await reconciler.retries(ADDON)
        await reconciler.settled(await repository.commit(content))
        expect((await reconciler.retries(ADDON)) - retries).toBeLessThanOrEqual(2)
        expect([...(await live()).keys()]).toEqual([...repository.objects().keys()])
      }, 600_000)
    })
  })
}

/** A policy that rejects Deployments that pull with a Secret that does not exist. */
function secretPolicy(): readonly JsonObject[] {
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const metadata = {name: 'pull-secrets-exist'}
  const rule = {
    apiGroups: ['apps'],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['deployments'],
  }
  const secrets = 'object.spec.template.spec.?imagePullSecrets.orValue([])'
  const expression = `!${secrets}.exists(each, each.name == '${MISSING_SECRET}')`
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        matchConstraints: {resourceRules: [rule]},
        validations: [{expression, message: `no Secret ${MISSING_SECRET}`}],
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: {policyName: metadata.name, validationActions: ['Deny']},
    },
  ]
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
