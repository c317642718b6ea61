import {CrossplaneError} from '../../errors.js'

/** An action of a Go template, a tag of Jinja, and a variable. */
const ACTION = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\$\{[^{}\n]*\}/g

/**
 * Returns the error that a file has without the actions of its templates; undefined if they are the reason why it cannot be read.
 * Anything in braces may be written by a template, so each way to take it away is tried.
 * @param read - reads the file, and throws for one that cannot be read.
 */
export function errorBesideTemplates<T extends {readonly bytes: Uint8Array}>(
  file: T,
  read: (file: T) => unknown,
): CrossplaneError | undefined {
  const text = Buffer.from(file.bytes).toString()
  const texts = [text, withFirstBranches(text)].flatMap(one => [
    withoutActions(one, 'x'),
    withoutActions(one, ''),
  ])
  const errors = [...new Set(texts)].map(one => errorOf({...file, bytes: Buffer.from(one)}, read))
  return errors.includes(undefined) ? undefined : errors[0]
}

function errorOf<T>(file: T, read: (file: T) => unknown): CrossplaneError | undefined {
  try {
    read(file)
    return undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
}

/** Characters of private use, between which an action was. */
const [START, END] = ['\uE000', '\uE001'] as const

/** Replaces actions by a word, and lines of actions by empty ones: the lines keep their numbers. */
function withoutActions(text: string, word: string): string {
  return text
    .replaceAll(ACTION, action => `${START}${linesOf(action)}${END}`)
    .replaceAll(/^[ \t]*(?:\uE000\n*\uE001[ \t]*)+\r?$/gm, linesOf)
    .replaceAll(/\uE000(\n*)\uE001/g, `${word}$1`)
}

/** Takes the text of `else` branches away: branches can have the same keys, at other depths. */
function withFirstBranches(text: string): string {
  return othersIn(text).reduce(
    (rest, {from, to}) => rest.slice(0, from) + blankOf(rest.slice(from, to)) + rest.slice(to),
    text,
  )
}

interface Part {
  readonly from: number
  readonly to: number
}

/** The places of the branches from the first `else` to the `end` of each block. */
function othersIn(text: string): readonly Part[] {
  const open: (number | undefined)[] = []
  return [...text.matchAll(ACTION)].flatMap(({0: action, index}): readonly Part[] => {
    const [, word = ''] = WORD.exec(action) ?? []
    if (BEGINS.has(word)) open.push(undefined)
    if (OTHERWISE.has(word)) open.push(open.pop() ?? index)
    const from = word.startsWith('end') ? open.pop() : undefined
    return from === undefined ? [] : [{from, to: index}]
  })
}

const WORD = /^\{[{%][-+]?\s*(\w+)/
const BEGINS: ReadonlySet<string> = new Set(['if', 'with', 'range', 'define', 'block', 'for'])
const OTHERWISE: ReadonlySet<string> = new Set(['else', 'elif'])

/** Branches within branches keep the places of the others. */
function blankOf(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

function linesOf(text: string): string {
  return text.replaceAll(/[^\n]/g, '')
}
