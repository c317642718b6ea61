import {afterAll, beforeAll} from '@jest/globals'
import {join} from 'node:path'
import {describeCluster} from '../cluster/describe-cluster.js'
import {missingPrograms} from '../cluster/find-server.js'
import {deleteCrdsOfProviders, providerNeighbors} from '../commands/cluster/neighboring-versions.js'
import {describeCorpus} from '../corpus.js'
import {argocd} from '../gitops/argocd.js'
import type {Reconciler} from '../gitops/describe-reconciled.js'
import {flux} from '../gitops/flux.js'
import {type GitServer, serveGit} from '../gitops/git-server.js'
import {type TreeRepository, treeRepository} from '../gitops/tree-repository.js'
import {publishNeighbors, upgradeNeighborsThroughGit} from '../gitops/upgrade-through-git.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'
import {campaign} from './campaign.js'

const KINDS = [flux, argocd]
const missing = missingPrograms(KINDS.flatMap(({servers}) => servers)) ?? missingTool('git', 'redis-server')

/** A repository, and the controller that reconciles its trees. */
interface Running {
  readonly repository: TreeRepository
  readonly reconciler: Reconciler
  readonly server: GitServer
}

describeCorpus('neighboring versions of real providers', () => {
  const all = providerNeighbors()
  /** The first round is another one with each seed. */
  const first = Number(process.env.SOAK_SEED ?? 1)

  describeReal('through Git', missing, () => {
    describeCluster({version: 'current', pods: true}, 'under a controller', cluster => {
      const folder = temporaryFolder()
      const running = new Map<string, Running>()

      /** Each controller starts with the first round that has it. */
      async function started(kind: (typeof KINDS)[number]): Promise<Running> {
        const existing = running.get(kind.name)
        if (existing !== undefined) return existing
        const root = join(folder, kind.layout)
        const server = await serveGit(root)
        const url = `${server.url}/repository.git`
        const repository = treeRepository(root, url, {
          layout: kind.layout,
          flags: kind.flags(url),
          earlier: `earlier-${kind.layout}.json`,
        })
        const reconciler = await kind.start(cluster(), url, repository)
        running.set(kind.name, {repository, reconciler, server})
        return {repository, reconciler, server}
      }

      beforeAll(async () => {
        // The base and the Namespaces of the other trees.
        const {repository, reconciler} = await started(flux)
        const commit = await repository.followGuide('flux')
        await reconciler.startTree('packages')
        await reconciler.reconciled(commit)
      }, 600_000)

      afterAll(async () => {
        for (const {reconciler, server} of running.values()) {
          await reconciler.stop()
          await server.close()
        }
      })

      campaign(
        'are deployed, or rejected before the commit',
        {short: 1, long: KINDS.length * all.length},
        async ({number}) => {
          const {repository, reconciler} = await started(KINDS[number % KINDS.length]!)
          const pair = all[(first + Math.floor(number / KINDS.length)) % all.length]!
          const name = `round${number}`
          const source = join(folder, name)
          publishNeighbors(source, pair)
          const home = repository.home(name, source, cluster())
          await upgradeNeighborsThroughGit({cluster: cluster(), home, reconciler}, pair)
          await reconciler.stopTree(name)
          await deleteCrdsOfProviders(cluster())
        },
      )
    })
  })
})
