import {CrossplaneError} from '../../errors.js'
import {actionsIn, replaced, type TextPart} from './template-actions.js'

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
  return replaced(text, actionsIn(text), action => `${START}${linesOf(action)}${END}`)
    .replaceAll(/^[ \t]*(?:\uE000\n*\uE001[ \t]*)+\r?$/gm, linesOf)
    .replaceAll(/\uE000(\n*)\uE001/g, `${word}$1`)
}

/** Takes the text of `else` branches away: branches can have the same keys, at other depths. Lines keep their numbers. */
function withFirstBranches(text: string): string {
  return replaced(text, outermost(othersIn(text)), branch => branch.replaceAll(/[^\n]/g, ' '))
}

/** The places of the branches from the first `else` to the `end` of each block. */
function othersIn(text: string): readonly TextPart[] {
  const open: (number | undefined)[] = []
  return actionsIn(text).flatMap(({from: index, to}): readonly TextPart[] => {
    const [, word = ''] = WORD.exec(text.slice(index, to)) ?? []
    if (BEGINS.has(word)) open.push(undefined)
    if (OTHERWISE.has(word)) open.push(open.pop() ?? index)
    const from = word.startsWith('end') ? open.pop() : undefined
    return from === undefined ? [] : [{from, to: index}]
  })
}

/** Of branches within branches, which end first, only those around them are left. */
function outermost(parts: readonly TextPart[]): readonly TextPart[] {
  const outer: TextPart[] = []
  for (const part of parts) {
    while ((outer.at(-1)?.from ?? -1) > part.from) outer.pop()
    outer.push(part)
  }
  return outer
}

const WORD = /^\{[{%][-+]?\s*(\w+)/
const BEGINS: ReadonlySet<string> = new Set(['if', 'with', 'range', 'define', 'block', 'for'])
const OTHERWISE: ReadonlySet<string> = new Set(['else', 'elif'])

function linesOf(text: string): string {
  return text.replaceAll(/[^\n]/g, '')
}
