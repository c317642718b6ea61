import {API_VERSION} from '../../api-version.js'
import {CrossplaneError} from '../../errors.js'
import {parseImageName} from '../../reference/image-name.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {type DeclarationFile, textOf} from '../edit-declaration.js'
import {entryLines} from '../entry-lines.js'
import {linesOf} from '../lines-of.js'
import {DECLARATION_KIND} from '../read-declaration.js'
import {withMark, withoutMarks} from '../remove-package.js'
import {withTag} from '../with-tag.js'
import {type EntryFile, entryKey, newEntryName} from './entry-files.js'
import {isSplitDeclaration, valueOf} from './join-declaration.js'

/** The texts of a declaration in several files. */
export interface SplitTexts {
  readonly settings: string
  /** By the name of the entry, in the order of the declaration. */
  readonly entries: ReadonlyMap<string, string>
}

/**
 * Splits the text of one declaration. An entry that a file has already keeps its file, in which only what changes is
 * edited. Throws `input-invalid` where the list of packages cannot be removed as lines.
 */
export function splitDeclaration(file: DeclarationFile, before: readonly EntryFile[] = []): SplitTexts {
  const values = asObjects(asObject(readYaml(file.bytes, file.name)[0]?.value).packages)
  const byKey = new Map(before.map(entryFile => [entryKey(valueOf(entryFile)), entryFile]))
  const taken = new Set(before.map(({entry}) => entry))
  const entries = new Map<string, string>()
  for (const [index, value] of values.entries()) {
    const old = byKey.get(entryKey(value))
    const name = old?.entry ?? newEntryName(value, taken)
    taken.add(name)
    entries.set(name, old === undefined ? newText(file, index, value) : editedText(old, value))
  }
  return {settings: settingsOf(file), entries}
}

function newText(file: DeclarationFile, index: number, value: JsonObject): string {
  const {lines, first, last, indent} = entryLines(file, index)
  const own = lines
    .slice(first - 1, last)
    .map(line => (line.startsWith(indent) ? line.slice(indent.length) : line))
  const head = `apiVersion: ${API_VERSION}\nkind: ${DECLARATION_KIND}\n`
  const text = `${head}packages:\n${own.join('').replaceAll('\r\n', '\n').trimEnd()}\n`
  return hasEntry(text, value) ? text : `${head}${writeYaml([{packages: [value]}])}`
}

/** Reports whether a text is a declaration with just this entry. */
function hasEntry(text: string, value: JsonObject): boolean {
  try {
    return jsonEqual(valueOf({name: '', entry: '', bytes: Buffer.from(text)}), value)
  } catch (error) {
    if (error instanceof CrossplaneError) return false
    throw error
  }
}

/** Keeps comments where the tag is all that changes, or a mark is added. */
function editedText(file: EntryFile, value: JsonObject): string {
  const old = valueOf(file)
  if (jsonEqual(old, value)) return textOf(file.bytes)
  const tag = parseImageName(asText(value.package))?.tag
  const texts = [
    ...(tag === undefined ? [] : [() => withTag(file, 0, tag)]),
    () => withMark(file, 0, 'draining'),
    () => withMark(file, 0, 'crdsOnly'),
    () => withoutMarks(file, 0),
  ]
  for (const edit of texts) {
    const text = textIfEditable(edit)
    if (text !== undefined && hasEntry(text, value)) return text
  }
  return `apiVersion: ${API_VERSION}\nkind: ${DECLARATION_KIND}\n${writeYaml([{packages: [value]}])}`
}

function textIfEditable(edit: () => string): string | undefined {
  try {
    return edit()
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

/** The text without `packages` and its entries. */
function settingsOf(file: DeclarationFile): string {
  const lines = linesOf(textOf(file.bytes))
  const document = readYaml(file.bytes, file.name)[0]
  const first = document?.lineOf(['packages']) ?? lines.length + 1
  const next = lines.findIndex((line, index) => index >= first && /^[^\s#-]/.test(line))
  const rest = next === -1 ? [] : lines.slice(next)
  const settings = [...lines.slice(0, first - 1), ...rest].join('')
  const others = asObject(document?.value)
  const {packages: _packages, ...expected} = others
  const bytes = Buffer.from(settings)
  const isSettings =
    isSplitDeclaration({name: file.name, bytes}) &&
    jsonEqual(asObject(readYaml(bytes, file.name)[0]?.value), expected)
  if (isSettings) return settings
  throw new CrossplaneError(
    'input-invalid',
    `cannot split ${file.name}: packages is not a list in block style`,
    {
      suggestions: [`Write one entry of packages per line in ${file.name}.`],
    },
  )
}
