import type {Diagnostic} from '../../diagnostic.js'
import type {FormatName} from '../../locate/expect-format.js'
import type {GitQuery} from './git-request.js'
import type {TreeCluster} from './judge-in-cluster.js'
import type {JudgedCommit} from './judged-commit.js'

/** Judges what a commit takes away. Throws the errors of the API. */
type Review = (
  query: Pick<GitQuery, 'request' | 'assumeNoInstances' | 'keepsInstances' | 'baseBesideCore'>,
  commit: JudgedCommit,
  cluster?: TreeCluster,
) => Promise<readonly Diagnostic[]>

const REVIEWS: Readonly<Record<FormatName, () => Promise<Review>>> = {
  stack: async () => (await import('./judge-instances.js')).judgeInstances,
  xpkg: async () => (await import('./judge-xpkgs.js')).judgeXpkgs,
}

/** Judges what a commit takes away, of packages of all formats that it changes. Throws the errors of the API. */
export const judgeCommit: Review = async (query, commit, cluster) => {
  const diagnostics: Diagnostic[] = []
  // The files of the tree show what changes of packages with .registry/.
  const names: readonly FormatName[] = commit.xpkgs === undefined ? ['stack'] : ['stack', 'xpkg']
  for (const name of names) diagnostics.push(...(await (await REVIEWS[name]())(query, commit, cluster)))
  return diagnostics
}
