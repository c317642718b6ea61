import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {asObject, asObjects, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {type DeclarationFile, isDeclaration, textOf} from '../edit-declaration.js'
import {mergeMarks} from '../merge-marks.js'
import {DECLARATION_KIND, EMPTY_DECLARATION, readDeclaration} from '../read-declaration.js'
import {type EntryFile, entryKey, type SplitDeclaration} from './entry-files.js'
import {expectNoBase} from './read-base.js'

/** Reports whether the entries of a declaration are in files of their own: it has no `packages`. */
export function isSplitDeclaration({name, bytes}: DeclarationFile): boolean {
  if (mergeMarks(name, bytes, 'declaration-merge').length > 0) return false
  try {
    const [document] = readYaml(bytes, name)
    const value = document?.value
    return isJsonObject(value) && value.kind === DECLARATION_KIND && !Object.hasOwn(value, 'packages')
  } catch (error) {
    // The reader of declarations reports it.
    if (error instanceof CrossplaneError) return false
    throw error
  }
}

/**
 * Returns the text of one declaration with the settings and the entries of several files. Throws `input-invalid` with the
 * errors of a file, for one that has not exactly one entry, and for two with the same entry.
 */
export function joinedDeclaration({settings, entries}: SplitDeclaration): string {
  const values = entries.map(valueOf)
  expectOnce(entries, values)
  return `${settingsText(settings)}${writeYaml([{packages: values}])}`
}

/** Returns the entry that a file has, as it is in YAML. */
export function valueOf(file: EntryFile): JsonObject {
  expectNoBase(file)
  const declaration = readDeclaration(file.name, file.bytes)
  const [value, ...others] = asObjects(asObject(readYaml(file.bytes, file.name)[0]?.value).packages)
  const isAlone = isDeclaration(textOf(file.bytes), {...EMPTY_DECLARATION, packages: declaration.packages})
  if (value !== undefined && others.length === 0 && isAlone) return value
  throw invalid([file], 'the file must have one entry in packages, and no settings')
}

function settingsText({bytes}: DeclarationFile): string {
  const text = textOf(bytes)
  return text === '' || /[\r\n]$/.test(text) ? text : `${text}\n`
}

function expectOnce(files: readonly EntryFile[], values: readonly JsonObject[]): void {
  const keys = values.map(entryKey)
  const second = keys.findIndex((key, index) => keys.indexOf(key) !== index)
  if (second === -1) return
  const twice = files.filter((_, index) => keys[index] === keys[second])
  throw invalid(twice, `${twice.map(({name}) => name).join(' and ')} have the same entry`)
}

function invalid(files: readonly EntryFile[], message: string): CrossplaneError {
  const [first] = files
  const diagnostics = files.map(({name: file}): Diagnostic => ({
    severity: 'error',
    rule: 'declaration-entry',
    message,
    file,
    line: 1,
  }))
  return new CrossplaneError(
    'input-invalid',
    `cannot read the declaration ${first?.name ?? ''}: ${message}`,
    {
      diagnostics,
      suggestions: ['Keep settings in crossplane-packages.yaml, and each entry in a file of its own.'],
    },
  )
}
