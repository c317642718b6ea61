import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {OutputFile} from '../../plan/folder/file-tree.js'
import {TREE_SETTINGS} from '../../plan/folder/owned-files.js'
import {type ChangedSetting, changedSettings, readTreeSettings} from '../../plan/folder/tree-settings.js'
import {objectText} from '../../kubernetes/object-key.js'
import {listSome} from '../../text.js'
import type {ReadDeclaration} from '../request/given-settings.js'
import {settingSuggestions} from './setting-lines.js'
import type {RenamedRequest, SettingChange} from './setting-change.js'
import {weakens, settingText} from './setting-texts.js'

/** What a user allows of a change. */
export interface SettingFlags {
  /** Whether the settings of the tree can change. */
  readonly changeSettings: boolean
  /** Whether files of a layout, and what protects objects from being pruned, can be removed. */
  readonly allowPruning: boolean
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

function weakenedDiagnostic({dropsLayout: drops, unprotected}: SettingChange): Diagnostic {
  const objects = unprotected.length === 0 ? '' : `: ${listSome(unprotected, 5)}`
  const message = drops
    ? `the files of the layout are removed, so that its controller can delete objects with their CRDs and custom resources${objects}`
    : `a controller that prunes can delete objects with their CRDs and custom resources${objects}`
  return {severity: 'error', rule: 'protection-removed', message}
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
