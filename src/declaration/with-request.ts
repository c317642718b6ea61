import {CrossplaneError} from '../errors.js'
import {present} from '../present.js'
import {writeYaml} from '../yaml/write-yaml.js'
import {ownEntries} from './add-package.js'
import {type DeclarationFile, isDeclaration} from './edit-declaration.js'
import {entryLines} from './entry-lines.js'
import {readDeclaration} from './read-declaration.js'

/**
 * Returns the text of a declaration in which an entry requests another package, or the same one under another name; its settings and every other
 * character stay. Throws `input-invalid` for an entry that is not in block style, and for one of its base.
 */
export function withRequest(
  file: DeclarationFile,
  index: number,
  {package: reference, name}: {readonly package: string; readonly name?: string},
): string {
  const declaration = readDeclaration(file.name, file.bytes)
  if (index >= ownEntries(file))
    throw notEditable(file, 'the entry is in the base of the declaration', reference)
  const {lines, first, last, indent, lineBreak} = entryLines(file, index)
  const own = lines.slice(first - 1, last)
  // Its fields are those that are indented as the first one after the dash.
  const dash = /^(\uFEFF? *- +)\S/.exec(own[0] ?? '')?.[1] ?? ''
  const blanks = dash === '' ? `${indent}  ` : ' '.repeat(dash.replace('\uFEFF', '').length)
  const fields = own.map((line, at) =>
    at === 0 && dash !== '' ? `${blanks}${line.slice(dash.length)}` : line,
  )
  const field = (key: string, value: string) => `${blanks}${writeYaml([{[key]: value}]).trimEnd()}`
  const edited = fields
    .filter(line => !line.startsWith(`${blanks}name:`))
    .flatMap(line => {
      if (!line.startsWith(`${blanks}package:`)) return [line]
      const named = name === undefined ? [] : [`${field('name', name)}${lineBreak}`]
      return [`${field('package', reference)}${commentIn(line)}${lineBreak}`, ...named]
    })
    .map((line, at) => (at === 0 && dash !== '' ? `${dash}${line.slice(blanks.length)}` : line))
  const text = [...lines.slice(0, first - 1), ...edited, ...lines.slice(last)].join('')
  const packages = declaration.packages.map((entry, at) => {
    const {name: _former, ...others} = entry
    return at === index ? {...others, package: reference, ...present({name})} : entry
  })
  if (isDeclaration(text, {...declaration, packages})) return text
  throw notEditable(file, 'the entry is not in block style, one field per line', reference)
}

function commentIn(line: string): string {
  return /[ \t]+#[^\r\n]*/.exec(line)?.[0] ?? ''
}

function notEditable({name}: DeclarationFile, message: string, reference: string): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot edit the declaration ${name}: ${message}`, {
    diagnostics: [{severity: 'error', rule: 'declaration-edit', message, file: name, field: 'packages'}],
    suggestions: [`Write the entry of ${reference} in block style in ${name}.`],
  })
}
