import type {Diagnostic} from '../../diagnostic.js'
import {lossRejection, unacceptableXpkgRejections, unseenXpkgRejections} from '../../plan/git/judge-xpkgs.js'
import {setLosses} from '../../plan/git/xpkg-losses.js'
import type {GitQuery} from './git-request.js'
import type {JudgedCommit} from './judged-commit.js'
import type {TreeCluster} from './judge-in-cluster.js'

/**
 * Judges what new versions of packages for a current Crossplane do to custom resources: by a cluster, if there is one, as
 * `judgeInstances` does. Throws the errors of the API.
 */
export async function judgeXpkgs(
  {
    request,
    assumeNoInstances,
    keepsInstances,
  }: Pick<GitQuery, 'request' | 'assumeNoInstances' | 'keepsInstances'>,
  {xpkgs: change}: Pick<JudgedCommit, 'xpkgs'>,
  cluster?: TreeCluster,
): Promise<readonly Diagnostic[]> {
  if (change === undefined || change.set.changes.length === 0) return []
  const {set} = change
  const losses = setLosses(set).map(lossRejection)
  const warnings = losses.map(loss => ({...loss, severity: 'warning'}) as const)
  // The cluster has judged it, before its first commit.
  if (request.kind === 'move') return warnings
  // What a user removes on purpose can be used by others still.
  const judged = request.kind === 'uninstall' ? warnings : losses
  if (cluster === undefined) {
    const unseen = assumeNoInstances
      ? unacceptableXpkgRejections(set)
      : unseenXpkgRejections(set, {keepsInstances})
    return [...unseen, ...judged]
  }
  // Loaded here: without a cluster, nothing of it is needed.
  const {judgeXpkgsInCluster} = await import('./judge-xpkgs-in-cluster.js')
  return [...(await judgeXpkgsInCluster(change, {assumeNoInstances, keepsInstances}, cluster)), ...judged]
}
