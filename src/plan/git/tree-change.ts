import type {Declaration} from '../../declaration/declaration.js'
import {installKey} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {nameOf} from '../../kubernetes/object-key.js'
import type {SetInstall} from '../../render/install-set.js'
import {installIdIn} from '../cluster/uninstall/uninstall-impact.js'
import type {RemovalStep} from '../declaration/removal-step.js'
import {
  crdFileChanges,
  committedCrdRejections,
  narrowedSchemas,
  storageChanges,
  unacceptableRejections,
} from '../folder/crd-file-changes.js'
import type {OutputFile} from '../folder/file-tree.js'
import {movedCrds} from '../folder/moved-crds.js'
import {objectIn} from '../folder/object-in-file.js'
import {type DroppedCrd, droppedCrdRejections} from './judge-dropped-crds.js'
import type {TreeChange, TreeRemoval} from './judge-tree-change.js'

/** The rendered tree of a commit. */
export interface ChangedTree {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly files: readonly OutputFile[]
  readonly set: {
    readonly removed?: readonly {readonly install: SetInstall; readonly crds: readonly string[]}[]
    readonly declaration?: {readonly content: Declaration}
  }
  /** Why the request is rejected whatever instances exist. */
  readonly rejections: readonly Diagnostic[]
  /** The step of an uninstall that the commit is; without a subject, HEAD has reached it already. */
  readonly step?: Pick<RemovalStep, 'key' | 'stage' | 'subject'>
}

/** Compares a tree with its files in HEAD, by path in the tree: what changes for the instances of CRDs. */
export function treeChange(tree: ChangedTree, before: ReadonlyMap<string, string>): TreeChange {
  const inTree = <Change extends {readonly path: string}>(change: Change) => ({
    ...change,
    path: `${tree.path}/${change.path}`,
  })
  return {
    changed: crdFileChanges(tree.files, before).map(inTree),
    migrated: storageChanges(tree.files, before).map(inTree),
    narrowed: narrowedSchemas(tree.files, before).map(inTree),
    dropped: droppedCrds(tree, before).map(inTree),
    removal: removalIn(tree, before),
  }
}

const CHECK = 'Pass --context with a cluster of this tree: its custom resources are counted.'

const MIGRATE = 'Pass --migrate-versions to serve the former versions until custom resources are migrated.'

const REPLACE =
  'Pass --context with a cluster of this tree: a CRD without custom resources can be deleted and created again.'

/** Returns why a change is rejected even if no instances exist. */
export function rejectedAlways({changed}: TreeChange): readonly Diagnostic[] {
  return withMigration(unacceptableRejections(changed, [REPLACE]))
}

/** Returns why a change is rejected where no cluster shows whether instances exist. */
export function rejectedUnseen({changed, dropped}: TreeChange, tree: ChangedTree): readonly Diagnostic[] {
  return [
    ...withMigration(committedCrdRejections(changed, CHECK)),
    ...droppedCrdRejections(dropped, [CHECK]),
    ...instancesPossible(tree),
  ]
}

/** A CRD that loses versions alone can keep them for a while. */
function withMigration(rejections: readonly Diagnostic[]): readonly Diagnostic[] {
  return rejections.map(rejection =>
    rejection.rule === 'crd-version-removed'
      ? {...rejection, suggestions: [...(rejection.suggestions ?? []), MIGRATE]}
      : rejection,
  )
}

function isRemoving(step: ChangedTree['step']): step is NonNullable<typeof step> {
  return step?.subject !== undefined && (step.stage === 'crds-only' || step.stage === 'removed')
}

/** Without a cluster, nothing shows whether the controller or the CRDs are still needed. */
function instancesPossible({step}: ChangedTree): readonly Diagnostic[] {
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
  {step, set, files}: ChangedTree,
  before: ReadonlyMap<string, string>,
): TreeRemoval | undefined {
  if (!isRemoving(step)) return undefined
  if (step.stage === 'crds-only') {
    const removal = set.removed?.find(({install}) => installKey(install) === step.key)
    return removal && {...removal, areDeleted: false}
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
  {step, set, files, rejections}: ChangedTree,
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
  const kept = new Set([...files.map(({path}) => path), ...movedCrds(files, before).values()])
  return [...before].flatMap(([path, text]) => {
    const crd = kept.has(path) ? undefined : objectIn(text, CRD_KIND.kind)
    return crd === undefined ? [] : [{path, name: nameOf(crd).name}]
  })
}
