import {present} from '../../present.js'
import type {TemplateKind} from './template-kind.js'

/** A field at the beginning of a line of a template. */
interface FieldLine {
  /** Absent if an action is part of it. */
  readonly value?: string
  /** The text of a field with actions. */
  readonly computed?: string
  readonly line: number
}

interface TextDocument {
  readonly lines: readonly string[]
  /** The number of the first line. */
  readonly start: number
}

/**
 * Finds the kinds in the text of a template that was not rendered. Only text is certain: a field with an action, and a
 * document that consists of actions, are computed.
 */
export function textKinds(text: string, file: string): readonly TemplateKind[] {
  return kindsOf(documents(text), text, file)
}

/** The same for a template of a chart, without hooks, which controllers do not apply. */
export function chartKinds(text: string, file: string): readonly TemplateKind[] {
  return kindsOf(
    documents(text).filter(({lines}) => !lines.some(line => HOOK.test(line))),
    text,
    file,
  )
}

function kindsOf(texts: readonly TextDocument[], text: string, file: string): readonly TemplateKind[] {
  const conditional = conditionalLines(text)
  return texts.flatMap(document =>
    documentKinds(document).map(kind => ({
      ...kind,
      file,
      ...(conditional.has(kind.line) ? {isConditional: true} : {}),
    })),
  )
}

const BLOCK = /\{\{-?\s*(?:(if|with|range|define|block)|(end))\b/g

/** The lines, from 1, that begin in a block of a template. */
function conditionalLines(text: string): ReadonlySet<number> {
  const lines = new Set<number>()
  let depth = 0
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (depth > 0) lines.add(index + 1)
    for (const [, start] of line.matchAll(BLOCK)) depth += start === undefined ? -1 : 1
  }
  return lines
}

/** A line with the annotation that makes an object a hook, also within braces; the first group is its value. */
export const HOOK =
  /^(?:\s*|[^#{]*\{(?:[^#]*[,{])?\s*)["']?helm\.sh\/hook["']?\s*:\s*("[^"]*"|'[^']*'|[^}#]*?)\s*(?:$|#|\}|,\s*["']?[\w./-]+["']?\s*:)/

function documents(text: string): readonly TextDocument[] {
  const texts: {lines: string[]; start: number}[] = [{lines: [], start: 1}]
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^---(?:\s|$)/.test(line)) texts.push({lines: [], start: index + 2})
    else texts.at(-1)?.lines.push(line)
  }
  return texts
}

function documentKinds(document: TextDocument): readonly Omit<TemplateKind, 'file'>[] {
  const kinds = fieldLines(document, /^kind:(.*)$/)
  const versions = fieldLines(document, /^apiVersion:(.*)$/)
  const [kind] = kinds
  if (kind === undefined && versions.length === 0) return computedKinds(document)
  if (kinds.length === 1 && isList(document, kind?.value)) return itemKinds(document)
  if (kinds.length === versions.length) return kinds.map((line, index) => kindOf(line, versions[index]))
  const unknown: FieldLine = {line: document.start}
  return atLeast(kinds, unknown).flatMap(line => atLeast(versions, unknown).map(other => kindOf(line, other)))
}

/** Reports whether a document has the items of a List, or of one kind such as ConfigMapList. */
function isList(document: TextDocument, kind = ''): boolean {
  return kind === 'List' || (kind.endsWith('List') && fieldLines(document, /^items:(.*)$/).length > 0)
}

function atLeast(lines: readonly FieldLine[], unknown: FieldLine): readonly FieldLine[] {
  return lines.length === 0 ? [unknown] : lines
}

function kindOf(kind: FieldLine, version?: FieldLine): Omit<TemplateKind, 'file'> {
  const computed = present({apiVersion: version?.computed, kind: kind.computed})
  return {
    ...present({apiVersion: version?.value, kind: kind.value}),
    line: kind.line,
    ...(Object.keys(computed).length === 0 ? {} : {computed}),
  }
}

function fieldLines({lines, start}: TextDocument, field: RegExp): readonly FieldLine[] {
  return lines.flatMap((text, index) => {
    const value = field.exec(text)?.[1]
    if (value === undefined) return []
    const computed = value.includes('{{') ? value : undefined
    return [{...present({value: literal(value), computed}), line: start + index}]
  })
}

/** Returns the text of a plain or quoted scalar; undefined if an action is part of it. */
function literal(value: string): string | undefined {
  if (value.includes('{{')) return undefined
  const text = value.replace(/\s#.*$/, '').trim()
  const unquoted = /^(["'])(.*)\1$/.exec(text)?.[2] ?? text
  return unquoted === '' ? undefined : unquoted
}

const FIRST_FIELD = /^(\s*)- (?:apiVersion|kind):/

/** The kinds of the items of a List. */
function itemKinds({lines, start}: TextDocument): readonly Omit<TemplateKind, 'file'>[] {
  return lines.flatMap((text, index) => {
    const indent = FIRST_FIELD.exec(text)?.[1]
    if (indent === undefined) return []
    const end = lines.findIndex((line, at) => at > index && line.startsWith(`${indent}- `))
    const item = lines
      .slice(index, end === -1 ? lines.length : end)
      .map(line => line.slice(indent.length + 2))
    const document = {lines: item, start: start + index}
    const [kind] = fieldLines(document, /^kind:(.*)$/)
    const [version] = fieldLines(document, /^apiVersion:(.*)$/)
    return [kindOf(kind ?? {line: start + index}, version)]
  })
}

/** Actions that print nothing. */
const SILENT = /^\{\{-?\s*(?:if|else|end|range|with|define|block|\/\*|\$\w*\s*:?=)/

/** A document without fields creates objects if an action at the beginning of a line prints them. */
function computedKinds({lines, start}: TextDocument): readonly Omit<TemplateKind, 'file'>[] {
  const index = lines.findIndex(line => line.startsWith('{{') && !SILENT.test(line))
  return index === -1 ? [] : [{line: start + index}]
}
