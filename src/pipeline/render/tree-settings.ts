import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {isKeptByController} from '../../plan/folder/controller-annotations.js'
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
  formatTreeSettings,
  readTreeSettings,
  type TreeFormat,
  type TreeSettings,
  unmatchedSettings,
} from '../../plan/folder/tree-settings.js'
import type {WholeTreeOptions} from '../../plan/layout/layout.js'
import {treeName} from '../../plan/layout/tree-name.js'
import type {Operation} from '../../plan/plan.js'
import {nameOf, objectKey, objectText} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {isPackageRequest} from '../../plan/cluster/state/core-state.js'
import {coreReference} from '../../plan/cluster/core/read-core-object.js'
import {present} from '../../present.js'
import {listSome} from '../../text.js'
import {asObject, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import type {ReadDeclaration} from '../request/given-settings.js'
import type {RenderedSets} from '../../package/rendered-sets.js'
import {settingSuggestions} from './setting-lines.js'
import {type Fields, having} from './tree-fields.js'

/** Returns the file with the settings of a tree. */
export function settingsFile(sets: RenderedSets, options: WholeTreeOptions): OutputFile {
  const formats: readonly TreeFormat[] = [
    ...((sets.stacks?.installs.length ?? 0) > 0 ? (['stack'] as const) : []),
    ...((sets.xpkgs?.objects.length ?? 0) > 0 ? (['xpkg'] as const) : []),
  ]
  const isOf = (field: string) =>
    field.startsWith('render.') ? formats.includes('stack') : formats.includes('xpkg')
  const fields = new Map([
    ...having(layoutFields(options)),
    ...[...(sets.fields ?? [])].filter(([field]) => isOf(field)),
  ])
  const hasFolder = formats.includes('xpkg') && options.layout.name !== 'flux'
  const settings = {formats, fields, ...(hasFolder ? {xpkgFolder: options.xpkgFolder} : {})}
  return {path: TREE_SETTINGS, content: formatTreeSettings(settings)}
}

function layoutFields({layout, externalCrds}: WholeTreeOptions): Fields {
  const options: JsonObject = present(layout.name === 'plain' ? {} : {...layout.settings})
  return [
    ['layout', layout.name],
    ...Object.entries(options)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([option, value]) => [`${layout.name}.${option}`, value] as const),
    ['crds', externalCrds ? 'external' : undefined],
  ]
}

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

/** What a user allows of a change. */
export interface SettingFlags {
  /** Whether the settings of the tree can change. */
  readonly changeSettings: boolean
  /** Whether files of a layout, and what protects objects from being pruned, can be removed. */
  readonly allowPruning: boolean
}

/** A package whose request would get another name. */
interface RenamedRequest {
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

/** Where a change of settings is rejected: the error, and the declaration that can agree with the tree. */
export interface SettingPlace {
  readonly code: 'output-refused' | 'git-refused'
  readonly action: string
  readonly tree: string
  readonly declaration?: Pick<ReadDeclaration, 'name' | 'bytes'>
}

/** Throws an error for a request that gets another name, and for a change of settings that the user does not allow, with the lines by which the declaration agrees. */
export function expectSameSettings(change: SettingChange, flags: SettingFlags, place: SettingPlace): void {
  const [renamed] = change.renamed
  if (renamed !== undefined) throw otherName(renamed, place)
  const missing = [
    ...(change.changed.length > 0 && !flags.changeSettings ? ['--change-settings'] : []),
    ...(weakens(change) && !flags.allowPruning ? ['--allow-pruning'] : []),
  ]
  if (missing.length > 0) throw otherSettings(change, missing, place)
}

/**
 * Says that a tree has other settings than what it is compared with, and how the declaration agrees with it; undefined if it has the
 * same. Throws `output-refused` for settings that this program did not write.
 */
export function settingWarning(
  text: string,
  files: readonly OutputFile[],
  {tree: name, declaration}: Pick<SettingPlace, 'tree' | 'declaration'>,
): Diagnostic | undefined {
  const next = readTreeSettings(files.find(({path}) => path === TREE_SETTINGS)?.content ?? '', name)
  const tree = readTreeSettings(text, name)
  const changed = changedSettings(tree, next)
  if (changed.length === 0) return undefined
  const source = declaration?.name ?? 'the flags'
  return {
    severity: 'warning',
    rule: 'tree-settings',
    message: `${name} was rendered with settings other than those of ${source}: ${changed.map(settingText).join('; ')}`,
    suggestions: settingSuggestions(changed, tree, declaration),
  }
}

function otherName({repository, before, after}: RenamedRequest, place: SettingPlace): CrossplaneError {
  const {code, action, tree, declaration} = place
  const message = `${repository} is requested as ${objectText(before)}, and would be requested as ${objectText(after)}: Crossplane would install it twice`
  return new CrossplaneError(code, `cannot ${action} ${tree}: a request would get another name`, {
    diagnostics: [{severity: 'error', rule: 'xpkg-renamed', message, subject: {package: repository}}],
    suggestions: [
      `Set name: ${before.name} in the entry of ${repository}${declaration === undefined ? '' : ` in ${declaration.name}`}.`,
    ],
  })
}

function weakens({dropsLayout: drops, unprotected}: SettingChange): boolean {
  return drops || unprotected.length > 0
}

function otherSettings(
  change: SettingChange,
  missing: readonly string[],
  {code, action, tree: name, declaration}: SettingPlace,
): CrossplaneError {
  const {changed, tree} = change
  const source = declaration === undefined ? 'the flags' : declaration.name
  const cause =
    changed.length > 0
      ? `it was rendered with settings other than those of ${source}`
      : 'objects would lose their protection against pruning'
  const topic = weakens(change) ? 'what protects objects against pruning' : 'the settings'
  return new CrossplaneError(code, `cannot ${action} ${name}: ${cause}`, {
    diagnostics: [
      ...changed.map(changedDiagnostic),
      ...(weakens(change) ? [weakenedDiagnostic(change)] : []),
    ],
    suggestions: [
      ...(tree === undefined ? [] : settingSuggestions(changed, tree, declaration)),
      `Pass ${missing.join(' ')} to change ${topic}.`,
    ],
  })
}

function changedDiagnostic(setting: ChangedSetting): Diagnostic {
  return {
    severity: 'error',
    rule: 'tree-settings',
    message: settingText(setting),
    field: setting.field,
  }
}

function settingText({field, before, after}: ChangedSetting): string {
  return `${field} would change from ${valueText(before)} to ${valueText(after)}`
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return 'its default'
  return typeof value === 'string' ? value : writeJson(value)
}

function weakenedDiagnostic({dropsLayout: drops, unprotected}: SettingChange): Diagnostic {
  const objects = unprotected.length === 0 ? '' : `: ${listSome(unprotected, 5)}`
  const message = drops
    ? `the files of the layout are removed, so that its controller can delete objects with their CRDs and custom resources${objects}`
    : `a controller that prunes can delete objects with their CRDs and custom resources${objects}`
  return {severity: 'error', rule: 'protection-removed', message}
}

/** Returns what a commit says first of a change of settings. */
export function settingNotes(change: SettingChange): readonly string[] {
  const {changed, unprotected} = change
  return [
    ...(weakens(change)
      ? ['This commit removes protection against pruning: a controller can delete these objects.']
      : []),
    ...unprotected.slice(0, MAX_LINES).map(object => `UNPROTECTED ${object}`),
    ...(unprotected.length > MAX_LINES ? [`… and ${unprotected.length - MAX_LINES} more`] : []),
    ...changed.map(
      ({field, before, after}) => `SETTING ${field}: ${valueText(before)} -> ${valueText(after)}`,
    ),
  ]
}

const MAX_LINES = 20

/** Returns the subject of a commit that removes protection; undefined for others. */
export function settingSubject(change: SettingChange): string | undefined {
  return weakens(change) ? 'Remove the protection of packages against pruning' : undefined
}
