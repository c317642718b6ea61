import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import type {ReadDeclaration} from '../pipeline/request/given-settings.js'
import {present} from '../present.js'
import {repositoryName} from '../reference/repository-name.js'
import type {RequestedInstall} from '../render/requested-install.js'
import {count, listAll} from '../text.js'
import {remainingEntries} from '../declaration/declared-base.js'
import {
  asObject,
  asObjects,
  type FieldPath,
  formatPath,
  isJsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import {readYaml, type YamlDocument} from '../yaml/read-yaml.js'
import type {FormatName} from '../locate/expect-format.js'

/** The fields of a declaration that are for packages of one format only. */
const FIELDS_OF_FORMAT: Readonly<Record<FormatName, readonly string[]>> = {
  stack: [
    ...['systemNamespace', 'dependencyNamespace', 'crossplaneVersion', 'assume', 'render', 'crds', 'base'],
    'acknowledged',
  ],
  xpkg: ['coreVersion', 'xpkg'],
}

/** The fields of entries that packages for a current Crossplane do not have. */
const FIELDS_OF_STACKS: readonly FieldPath[] = [
  ['namespace'],
  ['draining'],
  ['crdsOnly'],
  ['parameters', 'source'],
]

/** The fields of entries that only packages for a current Crossplane have. */
const FIELDS_OF_XPKGS: readonly FieldPath[] = [
  ['pin'],
  ['parameters', 'revisionActivationPolicy'],
  ['parameters', 'revisionHistoryLimit'],
  ['parameters', 'runtimeConfig'],
  ['parameters', 'paused'],
]

/** How the packages of a format are called. */
const WORDS: Readonly<Record<FormatName, string>> = {
  stack: 'a package of Crossplane v0.12',
  xpkg: 'a Provider, Configuration or Function (xpkg)',
}

/** An entry of a declaration, and the format of its package; undefined if that is not known. */
export interface DeclaredFormat {
  readonly requested: RequestedInstall
  readonly format: FormatName | undefined
  /** The repository of the package that defines a requested CRD. */
  readonly owner?: string
}

/** Returns the settings of a declaration that its packages do not have, such as those of what was its last package of a format. */
export function settingsWithoutEffect(
  {name, bytes}: ReadDeclaration,
  entries: readonly DeclaredFormat[],
): readonly string[] {
  const document = bytes === undefined ? undefined : readYaml(bytes, name)[0]
  const unused = document === undefined ? [] : unusedSettings(document, entries)
  return [...new Set(unused.map(({path: [key = '']}) => String(key)))]
}

/** Throws `input-invalid` for fields of a declaration that its packages do not have: they would be ignored. */
export function expectEffect(
  declaration: ReadDeclaration,
  entries: readonly DeclaredFormat[],
  defaultSource: string | undefined,
): void {
  const {name, bytes, isSplit = false} = declaration
  const document = bytes === undefined ? undefined : readYaml(bytes, name)[0]
  if (document === undefined) return
  const unused = [
    ...unusedSettings(document, entries),
    ...entries.flatMap((entry, index) => fieldsWithoutEffect(document, entry, index, defaultSource)),
  ]
  if (unused.length === 0) return
  const diagnostics = unused.map(({path, cause, ofBase}): Diagnostic => {
    const field = formatPath(path)
    const message = `${field} has no effect: ${cause}`
    // The lines of entries in files of their own are others.
    const line = isSplit ? undefined : document.lineOf(path)
    const place = ofBase ?? {file: name, ...present({line})}
    return {severity: 'error', rule: 'declaration-no-effect', message, field, ...place}
  })
  const files = [...new Set(diagnostics.map(({file}) => file ?? name))]
  const message = `cannot use the declaration ${name}: ${count(unused.length, 'field')} without effect`
  throw new CrossplaneError('input-invalid', message, {
    diagnostics,
    suggestions: [`Remove ${unused.map(({path}) => formatPath(path)).join(', ')} from ${listAll(files)}.`],
  })
}

interface Unused {
  readonly path: FieldPath
  readonly cause: string
  /** Where its base has it. */
  readonly ofBase?: {readonly file: string; readonly line: number}
}

/** An empty declaration can have settings for the packages that it gets. */
function unusedSettings({value}: YamlDocument, entries: readonly DeclaredFormat[]): readonly Unused[] {
  const formats = entries.map(({format}) => format)
  if (entries.length === 0 || formats.includes(undefined)) return []
  const missing = (['stack', 'xpkg'] as const).filter(format => !formats.includes(format))
  const unused = missing.flatMap(format =>
    FIELDS_OF_FORMAT[format].flatMap(key => {
      const cause = `no entry is ${WORDS[format]}`
      return valuesAt(value, [key]).map(path => ({path, cause}))
    }),
  )
  if (!formats.includes('stack') && !entries.some(({requested: {target}}) => target.kind === 'crd')) {
    const cause = `no entry is ${WORDS.stack}, or requests a CRD`
    unused.push(
      ...valuesAt(value, ['owners'])
        .slice(0, 1)
        .map(() => ({path: ['owners'], cause})),
    )
  }
  return unused
}

function fieldsWithoutEffect(
  {value}: YamlDocument,
  {requested: {target}, format, owner}: DeclaredFormat,
  index: number,
  defaultSource: string | undefined,
): readonly Unused[] {
  if (format === undefined) return []
  const repository = target.kind === 'image' ? repositoryName(target.name, defaultSource) : (owner ?? '')
  const unknown = format === 'xpkg' ? FIELDS_OF_STACKS : FIELDS_OF_XPKGS
  const cause = `${repository} is ${WORDS[format]}`
  const entry = remainingEntries(value)[index - asObjects(asObject(value).packages).length]
  if (entry === undefined) {
    const fields = unknown.flatMap(path => valuesAt(value, ['packages', index, ...path]))
    return fields.map(path => ({path, cause}))
  }
  const fields = unknown.flatMap(path => valuesAt(entry.value, path))
  return fields.map(path => ({path, cause, ofBase: {file: entry.file, line: entry.line}}))
}

/** The paths of the values at a path: of each field of an object. None for an empty list or object, and for false. */
function valuesAt(value: JsonValue | undefined, path: FieldPath): readonly FieldPath[] {
  const at = path.reduce<JsonValue | undefined>(
    (inner, key) => (inner as Readonly<Record<string, JsonValue>> | undefined)?.[key],
    value,
  )
  if (isJsonObject(at)) return Object.keys(at).map(key => [...path, key])
  const isEmpty = Array.isArray(at) && at.length === 0
  return isEmpty || at === undefined || at === null || at === false ? [] : [path]
}
