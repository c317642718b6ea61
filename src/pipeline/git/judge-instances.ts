import type {Checkout} from '../../commit/checkout.js'
import type {Diagnostic} from '../../diagnostic.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {rejectedAlways, rejectedUnseen, treeChange} from '../../plan/git/tree-change.js'
import {sha256Of} from '../../plan/sha256.js'
import type {GitQuery} from './git-request.js'
import type {TreeCluster} from './judge-in-cluster.js'
import type {JudgedCommit, NewTree} from './judged-commit.js'

/**
 * Judges what a commit does to the instances of CRDs: by a cluster, if there is one. Without a cluster, it is rejected,
 * unless the user says that no instances exist and an API server can accept the change. Instances of CRDs that leave the
 * tree can be kept without a controller. The base is not brought to a cluster with a current Crossplane. Throws as `judgeInCluster` does. @param before - the `headTexts`.
 */
export async function judgeInstances(
  {
    assumeNoInstances,
    keepsInstances,
    baseBesideCore = false,
  }: Pick<GitQuery, 'assumeNoInstances' | 'keepsInstances' | 'baseBesideCore'>,
  {tree, before}: JudgedCommit,
  cluster?: TreeCluster,
): Promise<readonly Diagnostic[]> {
  const change = treeChange(tree, before)
  const judged = keepsInstances ? {...change, dropped: []} : change
  if (cluster === undefined) return assumeNoInstances ? rejectedAlways(change) : rejectedUnseen(judged, tree)
  // Loaded here: without a cluster, nothing of it is needed.
  const {judgeBase, judgeInCluster} = await import('./judge-in-cluster.js')
  return [
    ...(bringsBase(tree) && !baseBesideCore ? await judgeBase(cluster) : []),
    ...(assumeNoInstances ? rejectedAlways(change) : await judgeInCluster(judged, tree.set, cluster)),
  ]
}

/** A tree that has the base already does not bring it. */
function bringsBase({set, owned}: NewTree): boolean {
  const hadBase = [...owned.keys()].some(path => path.startsWith('base/'))
  return !hadBase && set.objects.some(({shared}) => shared === 'base')
}

/**
 * Reads the files that change or are deleted, as HEAD has them: after an interruption, the working tree can have the new
 * state already.
 */
export async function headTexts(
  {path: folder, files, texts, owned}: NewTree,
  checkout: Checkout,
): Promise<ReadonlyMap<string, string>> {
  const after = new Map(files.map(file => [file.path, file]))
  const before = new Map<string, string>()
  const unknown: string[] = []
  for (const [path, hashes] of owned) {
    const file = after.get(path)
    const isIn = (text: string) => hashes.length === 1 && hashes[0] === sha256Of(text)
    if (file !== undefined && (!isCrd(file.object) || isIn(file.content))) continue
    const textBefore = texts.get(path)
    if (textBefore !== undefined && isIn(textBefore)) before.set(path, textBefore)
    else unknown.push(`${folder}/${path}`)
  }
  const committed = await checkout.committedFiles(unknown)
  const texted = [...committed].map(
    ([path, bytes]) => [path.slice(folder.length + 1), Buffer.from(bytes).toString()] as const,
  )
  return new Map([...before, ...texted])
}
