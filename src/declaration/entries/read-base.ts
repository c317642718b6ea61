import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {isLocalPath} from '../../reference/package-reference.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {asObject, asObjects, asText, asTexts, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import {writeJson, writeYaml} from '../../yaml/write-yaml.js'
import {DECLARATION_FILE} from '../declaration.js'
import {baseIn, INHERITED, remainingEntries, withInherited} from '../declared-base.js'
import {type DeclarationFile, textOf} from '../edit-declaration.js'
import {linesOf} from '../lines-of.js'
import {isFolderName} from '../output-folder.js'
import {readDeclaration} from '../read-declaration.js'
import type {WholeDeclaration} from './entry-files.js'

/** Port: the repository that a declaration is in, where its base is looked up. */
export interface BaseFiles {
  /** The folder of the declaration, relative to the root of the repository; empty for the root. */
  readonly folder: string
  /**
   * Reads a declaration with its entries by its path in the repository; undefined without such a file, also where a link leads
   * to it or to an entry.
   */
  read(path: string): Promise<WholeDeclaration | undefined>
}

/** Returns the path that a declaration extends; undefined without one. Throws `input-invalid` for anything but a path. */
export function extendedPath({name, bytes}: DeclarationFile): string | undefined {
  const value = valueIn({name, bytes})?.extends
  if (value === undefined) return undefined
  if (typeof value === 'string') return value
  throw atExtends({name, bytes}, 'extends is not the path of a file')
}

/**
 * Returns the text of a declaration in which its base stands in place of the path of `extends`. Throws `input-invalid` for a
 * path that is not in the repository, and for a base that has what a base cannot have.
 */
export async function withBase(file: DeclarationFile, path: string, files: BaseFiles): Promise<Uint8Array> {
  const place = placeOf(path, files.folder)
  if (place === undefined || isSameFile(place, files.folder, file.name)) throw atExtends(file, NO_PATH)
  const base = await files.read(place)
  if (base === undefined)
    throw atExtends(
      file,
      `${place} is not a file of the repository, or a symbolic link leads to it or to one of its entries`,
    )
  expectBase(base)
  return embedded(file, base, foldersBetween(files.folder, place))
}

const NO_PATH =
  'extends is not the relative path of another YAML file of the same repository, without a link and a variable'

/** Returns a path of the repository; undefined for one that leaves it or that no file of it has. */
function placeOf(path: string, folder: string): string | undefined {
  const segments = folder === '' ? [] : folder.split('/')
  for (const segment of path.split('/').filter(text => text !== '.')) {
    if (segment === '..' ? segments.pop() === undefined : !isName(segment)) return undefined
    if (segment !== '..') segments.push(segment)
  }
  return /\.ya?ml$/.test(segments.at(-1) ?? '') ? segments.join('/') : undefined
}

/** Windows has other names for some folders. */
function isName(segment: string): boolean {
  return segment !== '' && isFolderName(segment) && !/^~|[$:*?"<>|{}]|[. ]$|~\d+$/.test(segment)
}

function isSameFile(place: string, folder: string, name: string): boolean {
  const own = name.split(/[/\\]/).at(-1) ?? ''
  return place === (folder === '' ? own : `${folder}/${own}`)
}

/** Returns the path from one folder of a repository to the folder of a file. */
function foldersBetween(from: string, file: string): string {
  const start = from === '' ? [] : from.split('/')
  const end = file.split('/').slice(0, -1)
  const different = start.findIndex((segment, index) => segment !== end[index])
  const common = different === -1 ? start.length : different
  return [...start.slice(common).map(() => '..'), ...end.slice(common)].join('/')
}

/** Throws `input-invalid` for a base with errors of its own, and for fields that are not taken from it. */
function expectBase(base: WholeDeclaration): void {
  const {name, bytes} = base.split?.settings ?? base
  const [document] = readYaml(bytes, name)
  const inherited: readonly string[] = [...INHERITED, 'apiVersion', 'kind', 'packages']
  const all = Object.keys(asObject(document?.value))
  const others = all.filter(key => !inherited.includes(key) && isOfDeclaration(key))
  if (others.length > 0) {
    const diagnostics = others.map(key => ({
      ...({severity: 'error', rule: 'declaration-base', file: name, field: key} as const),
      message: key === 'extends' ? 'a base cannot extend another one' : `${key} cannot be in a base`,
      line: document?.lineOf([key]) ?? 1,
    }))
    throw new CrossplaneError(
      'input-invalid',
      `cannot use ${name} as a base: ${diagnostics[0]?.message ?? ''}`,
      {
        diagnostics,
        suggestions: [`Move ${others.join(', ')} from ${name} to the declarations that extend it.`],
      },
    )
  }
  readDeclaration(base.name, base.bytes)
}

/** Other fields are errors of any declaration. */
function isOfDeclaration(key: string): boolean {
  return ['extends', 'remove', 'output', 'usage', 'crds', 'base'].includes(key)
}

function embedded(file: DeclarationFile, base: WholeDeclaration, folders: string): Uint8Array {
  const lines = linesOf(textOf(file.bytes))
  const [document] = readYaml(file.bytes, file.name)
  const at = (document?.lineOf(['extends']) ?? 1) - 1
  const [, mark = '', line = '', end = ''] = /^(\uFEFF?)([^\r\n]*)([\r\n]*)$/.exec(lines[at] ?? '') ?? []
  const content = contentOf(base, line, folders)
  const text = writeJson(content).replaceAll(/\n */g, ' ').trim()
  const bytes = Buffer.from(
    [...lines.slice(0, at), `${mark}extends: ${text}${end}`, ...lines.slice(at + 1)].join(''),
  )
  if (jsonEqual(valueIn({name: file.name, bytes}) ?? null, {...valueIn(file), extends: content})) return bytes
  throw atExtends(file, 'extends and its path are not on a line of their own')
}

function contentOf(base: WholeDeclaration, line: string, folders: string): JsonObject {
  const [document] = readYaml(base.bytes, base.name)
  const value = asObject(document?.value)
  const settings = INHERITED.flatMap(key => (value[key] === undefined ? [] : [[key, value[key]] as const]))
  const entries = asObjects(value.packages).map((entry, index) => {
    const own = base.split?.entries[index]
    const place =
      own === undefined
        ? {file: base.name, line: document?.lineOf(['packages', index]) ?? 1}
        : placeOfEntry(own)
    return {...place, value: entry}
  })
  return {line, file: base.name, settings: rebased(Object.fromEntries(settings), folders), entries}
}

function placeOfEntry({name, bytes}: DeclarationFile): {readonly file: string; readonly line: number} {
  return {file: name, line: readYaml(bytes, name)[0]?.lineOf(['packages', 0]) ?? 1}
}

/** Paths in a base are relative to its folder, and those of a declaration to another one. */
function rebased(settings: JsonObject, folders: string): JsonObject {
  const start = folders === '' ? '.' : folders.startsWith('..') ? folders : `./${folders}`
  const beside = (path: string) =>
    path.startsWith('/') ? path : `${start}/${path.replace(/^(?:\.\/+)+/, '')}`
  const local = (path: string) => (isLocalPath(path) ? beside(path) : path)
  return {
    ...settings,
    ...(settings.policy === undefined ? {} : {policy: beside(asText(settings.policy))}),
    ...(settings.indexes === undefined ? {} : {indexes: asTexts(settings.indexes).map(local)}),
    ...(settings.assume === undefined ? {} : {assume: asTexts(settings.assume).map(local)}),
  }
}

/** Returns the text of a declaration as its file has it: with the path of its base. */
export function ownText(text: string): string {
  if (!/^\uFEFF?extends: \{/m.test(text)) return text
  const [document] = readYaml(Buffer.from(text), DECLARATION_FILE)
  const base = baseIn(document?.value)
  if (document === undefined || base === undefined) return text
  const at = document.lineOf(['extends']) - 1
  return linesOf(text)
    .map((line, index) =>
      index === at ? `${line.startsWith('\uFEFF') ? '\uFEFF' : ''}${base.line}${breakOf(line)}` : line,
    )
    .join('')
}

/** Returns a declaration with all that it takes from its base, for a place that does not have the base. */
export function withoutExtends(file: DeclarationFile): Uint8Array {
  const value = valueIn(file)
  const base = baseIn(value)
  if (value === undefined || base === undefined) return file.bytes
  const {extends: _extends, remove: _remove, ...own} = value
  const entries = [...asObjects(own.packages), ...remainingEntries(value).map(entry => entry.value)]
  const policies = {...present({policy: base.settings.policy}), ...present({policy: own.policy})}
  return Buffer.from(writeYaml([{...withInherited(own, base), ...policies, packages: entries}]))
}

function breakOf(line: string): string {
  return /[\r\n]*$/.exec(line)?.[0] ?? ''
}

/** Throws `input-invalid` for a declaration that extends another one where there is no repository, such as standard input. */
export function expectNoBase(file: DeclarationFile): void {
  if (extendedPath(file) !== undefined)
    throw atExtends(file, 'extends has an effect only in a declaration that is a file')
}

/** Another reader reports what cannot be read. */
function valueIn({name, bytes}: DeclarationFile): JsonObject | undefined {
  try {
    const value = readYaml(bytes, name)[0]?.value
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

function atExtends({name, bytes}: DeclarationFile, message: string): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot read the base of ${name}: ${message}`, {
    diagnostics: [
      {
        ...{severity: 'error', rule: 'declaration-base', message, file: name, field: 'extends'},
        line: readYaml(bytes, name)[0]?.lineOf(['extends']) ?? 1,
      },
    ],
    suggestions: ['Write extends: ../base/crossplane-packages.yaml, or the path of another base.'],
  })
}
