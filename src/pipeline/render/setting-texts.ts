import type {ChangedSetting} from '../../plan/folder/tree-settings.js'
import type {JsonValue} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import type {SettingChange} from './setting-change.js'

/** Reports whether a change lets a controller delete objects that it had to keep. */
export function weakens({dropsLayout: drops, unprotected}: SettingChange): boolean {
  return drops || unprotected.length > 0
}

/** Returns how a setting changes. */
export function settingText({field, before, after}: ChangedSetting): string {
  return `${field} would change from ${valueText(before)} to ${valueText(after)}`
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return 'its default'
  return typeof value === 'string' ? value : writeJson(value)
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
