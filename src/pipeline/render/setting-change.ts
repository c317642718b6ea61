import {isKeptByController} from '../../kubernetes/controller-annotations.js'
import type {OutputFile} from '../../plan/folder/file-tree.js'
import {
  filesToInferFrom,
  inferredLayout,
  inferredSettings,
  showsOptions,
} from '../../plan/folder/inferred-settings.js'
import {objectIn} from '../../plan/folder/object-in-file.js'
import {TREE_SETTINGS} from '../../plan/folder/owned-files.js'
import {
  type ChangedSetting,
  changedSettings,
  dropsLayout,
  readTreeSettings,
  type TreeSettings,
  unmatchedSettings,
} from '../../plan/folder/tree-settings.js'
import {treeName} from '../../plan/layout/tree-name.js'
import type {Operation} from '../../plan/plan.js'
import {nameOf, objectKey, objectText} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {isPackageRequest} from '../../plan/cluster/state/core-state.js'
import {coreReference} from '../../plan/cluster/core/read-core-object.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'

/** A tree as it is before a change. */
export interface TreeBefore {
  /** Its name for messages. */
  readonly name: string
  /** Its path in the repository. */
  readonly path: string
  /** Its managed files. */
  readonly owned: readonly string[]
  /** Reads files of it. */
  readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/** A change of a tree: its new files, and what is done to the former ones. */
export interface TreeChange {
  readonly files: readonly OutputFile[]
  readonly operations: readonly Operation[]
  /** The former contents of files that change, by their paths in operations. */
  readonly before: ReadonlyMap<string, string>
}

/** A package whose request would get another name. */
export interface RenamedRequest {
  readonly repository: string
  readonly before: ObjectName
  readonly after: ObjectName
}

/** How a change of a tree concerns its settings. */
export interface SettingChange {
  readonly changed: readonly ChangedSetting[]
  /** Whether the files of its layout are dropped. */
  readonly dropsLayout: boolean
  /** The objects that lose their protection against pruning, as `Kind name`. */
  readonly unprotected: readonly string[]
  /** The requests of the tree that get another name. */
  readonly renamed: readonly RenamedRequest[]
  /** Those of the tree as it is, and as it becomes; absent for a new tree. */
  readonly tree?: TreeSettings
  readonly next?: TreeSettings
}

/**
 * Compares a tree with its next version. The settings of a tree without any, of an earlier release, are inferred from its files.
 * Throws `output-refused` for settings that this program did not write.
 */
export async function settingChange(before: TreeBefore, change: TreeChange): Promise<SettingChange> {
  const [text] = [...(await before.read([TREE_SETTINGS])).values()]
  const next = readTreeSettings(
    change.files.find(({path}) => path === TREE_SETTINGS)?.content ?? '',
    before.name,
  )
  if (before.owned.length === 0) return {changed: [], dropsLayout: false, unprotected: [], renamed: []}
  const tree = text === undefined ? await inferred(before) : recorded(text, before)
  const changed = changedSettings(tree, next).filter(
    setting => text !== undefined || isVisible(setting, before, change),
  )
  return {
    changed,
    dropsLayout: changed.some(dropsLayout),
    unprotected: tree.fields.get('layout') === 'plain' ? [] : unprotectedObjects(change),
    renamed: renamedRequests(change),
    tree,
    next,
  }
}

function recorded(text: string, {name, owned}: TreeBefore): TreeSettings {
  const settings = readTreeSettings(text, name)
  if (settings.fields.get('layout') !== inferredLayout(owned)) throw unmatchedSettings(name)
  return settings
}

async function inferred({owned, path, read}: TreeBefore): Promise<TreeSettings> {
  return inferredSettings(owned, await read(filesToInferFrom(owned)), treeName(path))
}

/** What is inferred of a tree may not be what it was rendered with: it counts only where the next files show another one. */
function isVisible({field, before}: ChangedSetting, {path, owned}: TreeBefore, {files}: TreeChange): boolean {
  // Layouts of the first releases have no file that shows their options.
  if (before === undefined && !owned.some(showsOptions)) return false
  const texts = new Map(files.map(({path: place, content}) => [place, content]))
  const paths = [...texts.keys()].filter(place => place !== TREE_SETTINGS)
  const next = inferredSettings(paths, texts, treeName(path)).fields.get(field)
  return next === undefined ? before !== undefined : writeJson(next) !== writeJson(before ?? null)
}

function unprotectedObjects({files, operations, before}: TreeChange): readonly string[] {
  const objects = new Map(
    files.flatMap(({object}) => (object === undefined ? [] : [[objectKey(nameOf(object)), object] as const])),
  )
  return operations.flatMap(({path = ''}) => {
    const former = protectedObject(before.get(path))
    if (former === undefined) return []
    const next = objects.get(objectKey(nameOf(former)))
    return next === undefined || isKeptByController(next) ? [] : [objectText(nameOf(former))]
  })
}

function renamedRequests({files, operations, before}: TreeChange): readonly RenamedRequest[] {
  const next = files.flatMap(({object}) => requestIn(object))
  return operations.flatMap(({path = ''}) => {
    const [former] = requestIn(objectIn(before.get(path) ?? ''))
    const others = next.filter(
      ({kind, repository}) => kind === former?.kind && repository === former.repository,
    )
    const [other] = others
    if (former === undefined || other === undefined) return []
    if (others.some(({name}) => name.name === former.name.name)) return []
    return [{repository: former.repository, before: former.name, after: other.name}]
  })
}

function requestIn(object: JsonObject | undefined) {
  if (object === undefined) return []
  const name = nameOf(object)
  if (!isPackageRequest(name)) return []
  const {repository} = coreReference(asText(asObject(object.spec).package))
  return [{kind: name.kind, name, repository}]
}

function protectedObject(text = ''): JsonObject | undefined {
  if (!/prune: disabled|Prune=false/.test(text)) return undefined
  const object = objectIn(text)
  return object !== undefined && isKeptByController(object) ? object : undefined
}
