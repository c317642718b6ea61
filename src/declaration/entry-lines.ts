import {readYaml} from '../yaml/read-yaml.js'
import {type DeclarationFile, textOf} from './edit-declaration.js'
import {linesOf} from './lines-of.js'

/** The lines of one entry in the text of a declaration. */
export interface EntryLines {
  /** All lines, with their breaks. */
  readonly lines: readonly string[]
  /** The number of its first line, from 1, and of its last one. */
  readonly first: number
  readonly last: number
  /** The blanks before its dash. */
  readonly indent: string
  /** The break of the first line of the text. */
  readonly lineBreak: string
}

/** Finds the lines of an entry in block style: those that follow its first one are indented deeper. */
export function entryLines(file: DeclarationFile, index: number): EntryLines {
  const text = textOf(file.bytes)
  const lines = linesOf(text)
  const first = readYaml(file.bytes, file.name)[0]?.lineOf(['packages', index]) ?? 1
  const indent = /^\uFEFF?( *)-/.exec(lines[first - 1] ?? '')?.[1] ?? ''
  return {
    lines,
    first,
    last: lastLine(lines, first, indent.length),
    indent,
    lineBreak: /\r\n|\r|\n/.exec(text)?.[0] ?? '\n',
  }
}

function lastLine(lines: readonly string[], first: number, indent: number): number {
  let last = first
  for (let index = first; index < lines.length; index += 1) {
    const text = (lines[index] ?? '').trimEnd()
    if (text === '') continue
    if (text.length - text.trimStart().length <= indent) break
    last = index + 1
  }
  return last
}
