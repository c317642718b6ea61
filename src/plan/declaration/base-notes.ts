import {
  type BaseEntry,
  baseIn,
  isSameSubject,
  remainingEntries,
  removalOf,
} from '../../declaration/declared-base.js'
import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import type {Diagnostic} from '../../diagnostic.js'
import {count, listSome} from '../../text.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'

/** Returns a note that says what a declaration takes from its base, and what not; none without a base. */
export function baseNote(
  declaration: {readonly name: string; readonly bytes?: Uint8Array} | undefined,
): readonly Diagnostic[] {
  if (declaration?.bytes === undefined) return []
  const {name, bytes} = declaration
  const value = asObject(readYaml(bytes, name)[0]?.value)
  const base = baseIn(value)
  if (base === undefined) return []
  const left = remainingEntries(value)
  const gone = base.entries.filter(entry => !left.includes(entry) && !left.some(one => isAt(one, entry)))
  const [replaced, removed] = [true, false].map(isOwn =>
    gone.filter(entry => hasEntry(value, entry) === isOwn).map(placed),
  )
  const parts = [
    ...namedPart(`${count(left.length, 'entry', 'entries')} of it`, left.map(placed)),
    ...namedPart('replaced', replaced ?? []),
    ...namedPart('removed', removed ?? []),
    ...namedPart('settings', settingNames(base.settings, value)),
  ]
  const message = `the declaration extends ${base.file}: ${parts.length === 0 ? 'nothing is taken from it' : parts.join('; ')}`
  return [{severity: 'note', rule: 'declaration-base', message, file: name}]
}

/** Returns a note for each entry of the base that a change of a declaration replaces or removes. */
export function replacedNotes(before: DeclarationFile, text: string): readonly Diagnostic[] {
  const [old, next] = [before.bytes, Buffer.from(text)].map(bytes => readYaml(bytes, before.name)[0]?.value)
  const left = remainingEntries(next)
  const gone = remainingEntries(old).filter(entry => !left.some(one => isAt(one, entry)))
  return gone.map(({file, line, value}) => {
    const removal = removalOf(value)
    const isRemoved = asTexts(asObject(next).remove).includes(removal)
    const effect = isRemoved
      ? `${before.name} removes it; the base still has it for other declarations`
      : `the entry of ${before.name} replaces it, also if the base changes`
    const message = `the base has ${asText(value.package) || removal}: ${effect}`
    return {severity: 'note', rule: 'declaration-base', message, file, line}
  })
}

function namedPart(title: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${title} (${listSome(names)})`]
}

function placed({file, line, value}: BaseEntry): string {
  return `${asText(value.package) || removalOf(value)} at ${file}:${line}`
}

function hasEntry(value: JsonObject, entry: BaseEntry): boolean {
  return asObjects(value.packages).some(one => isSameSubject(one, entry.value, value))
}

function isAt(one: BaseEntry, other: BaseEntry): boolean {
  return one.file === other.file && one.line === other.line
}

/** The settings that the declaration does not have itself. */
function settingNames(settings: JsonObject, value: JsonObject): readonly string[] {
  return Object.keys(settings).filter(key => key === 'policy' || value[key] === undefined)
}
