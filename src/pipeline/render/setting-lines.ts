import type {Diagnostic} from '../../diagnostic.js'
import {ARGOCD_DEFAULTS, FLUX_DEFAULTS} from '../../declaration/layout-settings.js'
import {type ChangedSetting, nested, type TreeSettings} from '../../plan/folder/tree-settings.js'
import {RENDER_FLAGS, XPKG_SETTING_FLAGS} from '../../package/given-choices.js'
import {shellWord} from '../../text.js'
import {asObject, asText, isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import {writeJson, writeYaml} from '../../yaml/write-yaml.js'
import type {ReadDeclaration} from '../request/given-settings.js'

type Declared = Pick<ReadDeclaration, 'name' | 'bytes'>

/**
 * Returns the steps after which a declaration agrees with the settings of a tree: the lines to add, and the fields to replace
 * or to remove, but first the flags to leave out. Without a declaration, these are flags.
 */
export function settingSuggestions(
  changed: readonly ChangedSetting[],
  tree: TreeSettings,
  declaration: Declared | undefined,
): readonly string[] {
  if (changed.length === 0) return []
  if (declaration === undefined) {
    const fields = fieldsToHave(changed, tree)
    return [flagsFor(fields) ?? settingLines('to a declaration', nested(fields))]
  }
  const declared = contentOf(declaration)
  const flags = changed.flatMap(setting => switchFor(setting, declared) ?? [])
  const others = changed.filter(setting => switchFor(setting, declared) === undefined)
  return [...flags.map(flag => `Leave out ${flag}.`), ...lineSuggestions(others, tree, declaration, declared)]
}

/** The flags that turn a setting on or off, by its field and the value that they stand for. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['render.pin', false],
  ['render.includeRequest', true],
  ['render.allowCorePermissions', true],
  ['render.allowFullDeployment', true],
])

/** The flag that a setting comes from; undefined if it is that of the declaration, or no switch. */
function switchFor({field, after}: ChangedSetting, declared: JsonObject): string | undefined {
  const [section = '', name = ''] = field.split('.')
  if (after === undefined || SWITCHES.get(field) !== after) return undefined
  return asObject(declared[section])[name] === after ? undefined : `--${FLAGS.get(field) ?? ''}`
}

function lineSuggestions(
  changed: readonly ChangedSetting[],
  tree: TreeSettings,
  declaration: Declared,
  declared: JsonObject,
): readonly string[] {
  const fields = fieldsToHave(changed, tree)
  const wanted = nested(fields)
  const isNew = (key: string) => declared[key] === undefined
  const added = Object.fromEntries(Object.entries(wanted).filter(([key]) => isNew(key)))
  const replaced = Object.entries(wanted).filter(([key]) => !isNew(key))
  return [
    ...(Object.keys(added).length === 0 ? [] : [settingLines(`to ${declaration.name}`, added)]),
    ...replaced.map(([key, value]) => replacement(key, joined(declared[key], value), declaration)),
    ...fieldsToRemove(changed, declared).map(field => `Remove ${field} from ${declaration.name}.`),
  ]
}

/** With a layout, its options: a declaration cannot have them without it. */
function fieldsToHave(
  changed: readonly ChangedSetting[],
  {fields}: TreeSettings,
): ReadonlyMap<string, JsonValue> {
  const layout = asText(fields.get('layout'))
  const isOption = (field: string) =>
    changed.some(setting => setting.field === 'layout') && field.startsWith(`${layout}.`)
  const isNeeded = ([field, value]: readonly [string, JsonValue]) =>
    changed.some(setting => setting.field === field) || (isOption(field) && !isDefault(field, value))
  return new Map([...fields].filter(isNeeded))
}

function isDefault(field: string, value: JsonValue): boolean {
  const [layout, option = ''] = field.split('.')
  const defaults = (layout === 'flux' ? FLUX_DEFAULTS : ARGOCD_DEFAULTS) as unknown as JsonObject
  return writeJson(defaults[option] ?? null) === writeJson(value)
}

/** Settings that the tree does not have, and those that its own contradict. */
function fieldsToRemove(changed: readonly ChangedSetting[], declared: JsonObject): readonly string[] {
  const layouts = changed.flatMap(({field, after}) => (field === 'layout' ? [asText(after)] : []))
  return [
    ...changed.flatMap(({field, before}) => (before === undefined ? [field] : [])),
    ...layouts.filter(key => declared[key] !== undefined),
  ]
}

function contentOf({name, bytes}: Declared): JsonObject {
  if (bytes === undefined) return {}
  return asObject(readYaml(bytes, name)[0]?.value)
}

function joined(declared: JsonValue | undefined, value: JsonValue): JsonValue {
  return isJsonObject(declared) && isJsonObject(value) ? {...declared, ...value} : value
}

/** Returns a suggestion with lines to add: by the words with which it begins, the report of errors keeps these apart. */
export function settingLines(place: string, fields: JsonObject): string {
  const isBelow = ([, value]: readonly [string, JsonValue]) => (isJsonObject(value) ? 1 : 0)
  const entries = Object.entries(fields).sort((one, other) => isBelow(one) - isBelow(other))
  const texts = entries.map(([key, value]) => writeYaml([{[key]: value}]))
  return [`Add these lines ${place}:`, texts.join('').trimEnd()].join('\n')
}

function replacement(key: string, value: JsonValue, {name}: Declared): string {
  return [`Replace ${key} with these lines in ${name}:`, writeYaml([{[key]: value}]).trimEnd()].join('\n')
}

/** Returns the flags for settings; undefined if one has none. */
function flagsFor(fields: ReadonlyMap<string, JsonValue>): string | undefined {
  const words = [...fields].map(([field, value]) => flagFor(field, value))
  if (words.some(word => word === undefined)) return undefined
  return `Pass ${words.join(' ')} to keep the settings of the tree.`
}

function flagFor(field: string, value: JsonValue): string | undefined {
  const flag = FLAGS.get(field)
  if (flag === undefined) return undefined
  if (field === 'render.pin') return value === true ? '--no-pin-image=false' : '--no-pin-image'
  return value === true
    ? `--${flag}`
    : `--${flag} ${shellWord(typeof value === 'string' ? value : writeJson(value))}`
}

const FLAGS: ReadonlyMap<string, string> = new Map([
  ['layout', 'layout'],
  ['argocd.repoURL', 'repo-url'],
  ['coreVersion', 'core-version'],
  ...Object.entries(RENDER_FLAGS).map(([name, flag]) => [`render.${name}`, flag] as const),
  ...Object.entries(XPKG_SETTING_FLAGS).map(([name, flag]) => [`xpkg.${name}`, flag] as const),
])

/**
 * Says that the layout of a tree comes from flags only: the next command without them would change it, and is rejected. Returns nothing
 * for a declaration on standard input.
 */
export function undeclaredLayout(
  tree: TreeSettings,
  declaration: ReadDeclaration | undefined,
): readonly Diagnostic[] {
  if (declaration === undefined || declaration.path === '-') return []
  const layout = tree.fields.get('layout')
  if (layout === 'plain' || declaration.content.tree.layout !== undefined) return []
  return [
    {
      severity: 'note',
      rule: 'declaration-layout',
      message: `${declaration.name} has no layout, so that the next command without --layout is rejected`,
      suggestions: settingSuggestions([{field: 'layout', before: layout ?? null}], tree, declaration),
    },
  ]
}
