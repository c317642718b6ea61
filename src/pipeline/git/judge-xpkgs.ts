import type {Diagnostic} from '../../diagnostic.js'
import {
  type ChangedXpkg,
  unacceptableXpkgRejections,
  unseenXpkgRejections,
} from '../../plan/git/judge-xpkg-crds.js'
import type {GitQuery} from './git-request.js'
import type {TreeCluster} from './judge-in-cluster.js'

/**
 * Judges what new versions of packages for a current Crossplane do to custom resources: by a cluster, if there is one, as
 * `judgeInstances` does. Throws the errors of the API.
 */
export async function judgeXpkgs(
  {assumeNoInstances, keepsInstances}: Pick<GitQuery, 'assumeNoInstances' | 'keepsInstances'>,
  changes: readonly ChangedXpkg[],
  cluster: TreeCluster | undefined,
): Promise<readonly Diagnostic[]> {
  if (changes.length === 0) return []
  if (assumeNoInstances) return unacceptableXpkgRejections(changes)
  if (cluster === undefined) return unseenXpkgRejections(changes, {keepsInstances})
  // Loaded here: without a cluster, nothing of it is needed.
  const {judgeXpkgsInCluster} = await import('./judge-xpkgs-in-cluster.js')
  return await judgeXpkgsInCluster(changes, {keepsInstances}, cluster)
}
