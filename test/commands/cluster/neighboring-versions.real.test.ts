import {afterEach, expect, it} from '@jest/globals'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {describeCorpus} from '../../corpus.js'
import {SEED, shuffled} from '../../shuffled.js'
import {runIn} from './installing.js'
import {
  CRDS,
  deleteInstances,
  deleteProviders,
  leftBehind,
  migrateNeighbors,
  type Neighbors,
  providerNeighbors,
  suggestedFor,
  upgradeKeeping,
  upgradeNeighbors,
} from './neighboring-versions.js'

const VPCS = 'vpcs.network.aws.crossplane.io'

/** Upgrades by which CRDs leave a package, and by which they lose their stored version. */
const ALWAYS: readonly Neighbors[] = [
  {name: 'provider-aws', from: 'v0.10.0', to: 'v0.11.1'},
  {name: 'provider-azure', from: 'v0.3.0', to: 'v0.10.0'},
  {name: 'provider-azure', from: 'v0.2.1', to: 'v0.3.0'},
  {name: 'provider-gcp', from: 'v0.5.0', to: 'v0.6.0'},
]
/** Those of them that only lose versions, and why their custom resources cannot be migrated as they are. */
const UNMIGRATABLE: ReadonlyMap<string, string> = new Map([
  ['provider-azure v0.2.1 → v0.3.0', 'fields-pruned'],
  ['provider-gcp v0.5.0 → v0.6.0', 'instances-rejected'],
])
const text = ({name, from, to}: Neighbors) => `${name} ${from} → ${to}`
const others = providerNeighbors().filter(each => !ALWAYS.some(always => text(always) === text(each)))
const DRAWN = shuffled(others, SEED).slice(0, 4)

describeCorpus('neighboring versions of real providers', () => {
  describeCluster('current', `with a custom resource of each kind (seed ${SEED})`, cluster => {
    afterEach(() => deleteProviders(cluster()), 180_000)

    it('provider-aws v0.10.0 → v0.11.1, kept: status and doctor name what is left behind, until it is deleted', async () => {
      await upgradeKeeping(cluster(), {name: 'provider-aws', from: 'v0.10.0', to: 'v0.11.1'})
      expect(await leftBehind(cluster())).toMatchObject({[VPCS]: 1, 'subnets.network.aws.crossplane.io': 0})
      const text = await runIn(cluster(), 'package', 'status', 'crossplane-system/it')
      expect(text.stdout).toContain(`: crd-left: ${VPCS} is left behind: 1 custom resource has no controller`)
      expect(text.stdout).toContain(`Try: kubectl get ${VPCS} --all-namespaces`)
      const dry = await runIn(cluster(), 'package', 'uninstall', 'crossplane-system/it', '--dry-run=client')
      expect(dry.stdout).toMatch(new RegExp(`^keep .* ${VPCS}\\s+.*left behind: 1 custom resource`, 'm'))
      expect(await suggestedFor(cluster(), VPCS)).toBe(`kubectl get ${VPCS} --all-namespaces`)
      await deleteInstances(cluster(), VPCS)
      // With the other CRDs that have no custom resources.
      expect(await suggestedFor(cluster(), VPCS)).toMatch(/^kubectl delete customresourcedefinition /)
      await cluster().kube.delete({...CRDS, metadata: {name: VPCS}})
      expect(Object.keys(await leftBehind(cluster()))).not.toContain(VPCS)
      expect(await suggestedFor(cluster(), VPCS)).toBeUndefined()
    }, 240_000)

    it.each([...ALWAYS, ...DRAWN].map(each => [text(each), each] as const))(
      '%s: each keeps its controller, or the upgrade is rejected and names it',
      async (_, neighbors) => {
        const rejected = await upgradeNeighbors(cluster(), neighbors)
        if (ALWAYS.includes(neighbors)) expect(rejected).not.toEqual([])
        const unmigratable = UNMIGRATABLE.get(text(neighbors))
        if (unmigratable === undefined) return
        expect(await migrateNeighbors(cluster(), neighbors)).toContain(unmigratable)
      },
      240_000,
    )
  })
})
