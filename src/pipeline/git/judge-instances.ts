import type {Checkout} from '../../commit/checkout.js'
import {installKey} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CRD_KIND, isCrd} from '../../kubernetes/crd-kind.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {installIdIn} from '../../plan/cluster/uninstall-impact.js'
import {
  crdFileChanges,
  crdFileRejections,
  unacceptableRejections,
} from '../../plan/folder/crd-file-changes.js'
import type {OutputFile} from '../../plan/folder/file-tree.js'
import {objectIn} from '../../plan/folder/object-in-file.js'
import type {OwnedFiles} from '../../plan/folder/folder-snapshot.js'
import {type DroppedCrd, droppedCrdRejections} from '../../plan/git/judge-dropped-crds.js'
import type {TreeRemoval} from '../../plan/git/judge-tree-change.js'
import {sha256Of} from '../../plan/sha256.js'
import type {NotedSet} from '../render/render.js'
import type {GitQuery} from './git-request.js'
import type {TreeCluster} from './judge-in-cluster.js'
import type {RemovalStep} from '../../plan/declaration/requested-removal.js'

/** The rendered tree of a commit, and what the working tree has of it. */
export interface NewTree {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly files: readonly OutputFile[]
  readonly set: NotedSet
  /** The current contents of files that change, by path in the tree. */
  readonly texts: ReadonlyMap<string, string>
  /** Its managed files in HEAD. */
  readonly owned: OwnedFiles
  /** Why the request is rejected whatever instances exist. */
  readonly rejections: readonly Diagnostic[]
  /** The step of an uninstall that the commit is; without a subject, HEAD has reached it already. */
  readonly step?: Pick<RemovalStep, 'key' | 'stage' | 'subject'>
}

/**
 * Judges what a commit does to the instances of CRDs: by a cluster, if there is one. Without a cluster, it is rejected,
 * unless the user says that no instances exist and an API server can accept the change. Instances of CRDs that leave the
 * tree can be kept without a controller. Throws as `judgeInCluster` does.
 */
export async function judgeInstances(
  {assumeNoInstances, keepsInstances}: Pick<GitQuery, 'assumeNoInstances' | 'keepsInstances'>,
  tree: NewTree,
  {checkout, cluster}: {readonly checkout: Checkout; readonly cluster?: TreeCluster},
): Promise<readonly Diagnostic[]> {
  const before = await headTexts(tree, checkout)
  const inTree = <Change extends {readonly path: string}>(each: Change) => ({
    ...each,
    path: `${tree.path}/${each.path}`,
  })
  const changed = crdFileChanges(tree.files, before).map(inTree)
  if (assumeNoInstances) return unacceptableRejections(changed, [REPLACE])
  const dropped = keepsInstances ? [] : droppedCrds(tree, before).map(inTree)
  if (cluster === undefined) {
    return [
      ...crdFileRejections(changed, [CHECK]),
      ...droppedCrdRejections(dropped, [CHECK]),
      ...instancesPossible(tree),
    ]
  }
  // Loaded here: without a cluster, nothing of it is needed.
  const {judgeInCluster} = await import('./judge-in-cluster.js')
  return await judgeInCluster({changed, dropped, removal: removalIn(tree, before)}, tree.set, cluster)
}

const CHECK = 'Pass --context with a cluster of this tree: its custom resources are counted.'

const REPLACE =
  'Pass --context with a cluster of this tree: a CRD without custom resources can be deleted and created again.'

/**
 * Reads the files that change or are deleted, as HEAD has them: after an interruption, the working tree can have the new
 * state already.
 */
async function headTexts(
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
    const known = texts.get(path)
    if (known !== undefined && isIn(known)) before.set(path, known)
    else unknown.push(`${folder}/${path}`)
  }
  const committed = await checkout.committedFiles(unknown)
  const texted = [...committed].map(
    ([path, bytes]) => [path.slice(folder.length + 1), Buffer.from(bytes).toString()] as const,
  )
  return new Map([...before, ...texted])
}

function isRemoving(step: NewTree['step']): step is NonNullable<typeof step> {
  return step?.subject !== undefined && step.stage !== 'draining'
}

/** Without a cluster, nothing shows whether the controller or the CRDs are still needed. */
function instancesPossible({step}: NewTree): readonly Diagnostic[] {
  if (!isRemoving(step)) return []
  return [
    {
      severity: 'error',
      rule: 'instances-possible',
      message: `${step.key} is draining, and instances of its CRDs can exist`,
      suggestions: [
        CHECK,
        'Pass --assume-no-instances if no cluster of this tree has instances of its CRDs.',
      ],
    },
  ]
}

function removalIn(
  {step, set, files}: NewTree,
  before: ReadonlyMap<string, string>,
): TreeRemoval | undefined {
  if (!isRemoving(step)) return undefined
  if (step.stage === 'crds-only') {
    const found = set.removed?.find(({install}) => installKey(install) === step.key)
    return found && {...found, areDeleted: false}
  }
  const crds = crdsWithoutFile(files, before).map(({name}) => name)
  const era = set.declaration?.content.render.api ?? 'packages'
  const install = {...installIdIn(step.key), era, scope: 'Cluster', mode: 'requested', for: {}} as const
  return {install, crds, areDeleted: true}
}

/**
 * CRDs of another declaration stay in the cluster; those that leave with their install are judged as the last step of an
 * uninstall, or rejected with it.
 */
function droppedCrds(
  {step, set, files, rejections}: NewTree,
  before: ReadonlyMap<string, string>,
): readonly DroppedCrd[] {
  const isExternal = set.declaration?.content.tree.crds === 'external'
  const isLastStep = isRemoving(step) && step.stage === 'removed'
  const isWithInstall = rejections.some(({rule}) => rule === 'unused-dependency')
  return isExternal || isLastStep || isWithInstall ? [] : crdsWithoutFile(files, before)
}

function crdsWithoutFile(
  files: readonly OutputFile[],
  before: ReadonlyMap<string, string>,
): readonly DroppedCrd[] {
  const kept = new Set(files.map(({path}) => path))
  return [...before].flatMap(([path, text]) => {
    const crd = kept.has(path) ? undefined : objectIn(text, CRD_KIND.kind)
    return crd === undefined ? [] : [{path, name: nameOf(crd).name}]
  })
}
