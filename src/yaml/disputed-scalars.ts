import {type Event, EVENT_ID, SCALAR_STYLE, type ScalarEvent} from 'js-yaml'
import {startOf} from './event-text.js'
import {goScalar, isWord} from './go-scalars.js'
import type {FieldPath} from './json-value.js'
import {lineNumbers} from './line-numbers.js'
import {otherReading, readingOf} from './other-readings.js'
import {type ParsedText, parseText} from './parse-events.js'
import {sourceText} from './source-text.js'

/** A key or value without quotes that Kubernetes and other readers of YAML read differently. */
export interface DisputedScalar {
  /** The path to the value, or to the value of the key. */
  readonly path: FieldPath
  /** From 1. */
  readonly line: number
  readonly text: string
  readonly isKey: boolean
  /** The value for Kubernetes, in words: `true`, `the number 511`, `text`. */
  readonly here: string
  /** The value for others: `text to readers of YAML 1.2`. */
  readonly elsewhere: string
}

/** The maximum number that is reported for one file. */
export const MAX_DISPUTED = 100

/**
 * Returns the first hundred scalars of a file that go-yaml, and so Kubernetes, reads differently than the core schema
 * of YAML 1.2 or the types of YAML 1.1, in the order of the file. The file is one that `readYaml` accepts; throws as
 * it does.
 */
export function disputedScalars(bytes: Uint8Array, file: string): DisputedScalar[] {
  const parsed = parseText(sourceText(bytes, file), file)
  const lineAt = lineNumbers(parsed.text)
  const scalars: DisputedScalar[] = []
  for (const {at, ...scalar} of plainScalars(parsed)) {
    const dispute = disputeOver(scalar.text)
    if (dispute !== undefined) scalars.push({...scalar, line: lineAt(at), ...dispute})
    if (scalars.length === MAX_DISPUTED) break
  }
  return scalars
}

/** Reports whether any of these texts without quotes is one of `disputedScalars`. */
export function areDisputed(texts: ReadonlySet<string>): boolean {
  return [...texts].some(text => disputeOver(text) !== undefined)
}

function disputeOver(text: string): Pick<DisputedScalar, 'here' | 'elsewhere'> | undefined {
  const scalar = goScalar(text, true, '')
  if (scalar.kind === 'rejected') return undefined
  const here = readingOf(scalar.value)
  const elsewhere = otherReading(text, here)
  return elsewhere === undefined ? undefined : {here, elsewhere}
}

interface PlainScalar extends Pick<DisputedScalar, 'path' | 'text' | 'isKey'> {
  readonly at: number
}

/** A collection that is being read. */
interface Open {
  readonly isMapping: boolean
  /** The index of the next item, or the key whose value comes next; undefined where a key does. */
  step: string | number | undefined
}

/** The scalars without quotes or tags that can be read as a different type than text. */
function* plainScalars({text, events}: ParsedText): Generator<PlainScalar, void, undefined> {
  const open: Open[] = []
  for (const event of events) {
    const isKey = expectsKey(open.at(-1))
    const source = event.type === EVENT_ID.SCALAR ? scalarText(event, text) : ''
    enter(open, event, isKey, source)
    if (event.type === EVENT_ID.SCALAR && isPlain(event) && !isWord(source)) {
      yield {path: pathOf(open), text: source, isKey, at: startOf(event) ?? 0}
    }
    leave(open, event, isKey)
  }
}

function expectsKey(inner: Open | undefined): boolean {
  return inner?.isMapping === true && inner.step === undefined
}

function scalarText({valueStart, valueEnd}: ScalarEvent, text: string): string {
  return valueStart === -1 ? '' : text.slice(valueStart, valueEnd)
}

function isPlain({style, tagStart, valueStart}: ScalarEvent): boolean {
  return style === SCALAR_STYLE.PLAIN && tagStart === -1 && valueStart !== -1
}

function pathOf(open: readonly Open[]): FieldPath {
  return open.flatMap(({step}) => (step === undefined ? [] : [step]))
}

/** The path of a key is that of its value. */
function enter(open: readonly Open[], {type}: Event, isKey: boolean, text: string): void {
  const inner = open.at(-1)
  if (inner !== undefined && isKey && type !== EVENT_ID.POP) inner.step = text
}

function leave(open: Open[], {type}: Event, isKey: boolean): void {
  if (type === EVENT_ID.MAPPING) open.push({isMapping: true, step: undefined})
  else if (type === EVENT_ID.SEQUENCE) open.push({isMapping: false, step: 0})
  else if (type === EVENT_ID.POP) open.pop()
  if (type === EVENT_ID.POP || isScalar(type)) advance(open.at(-1), isKey && type !== EVENT_ID.POP)
}

function isScalar(type: Event['type']): boolean {
  return type === EVENT_ID.SCALAR || type === EVENT_ID.ALIAS
}

function advance(inner: Open | undefined, isKey: boolean): void {
  if (inner === undefined || isKey) return
  // eslint-disable-next-line no-param-reassign -- the reader moves on
  inner.step = typeof inner.step === 'number' ? inner.step + 1 : undefined
}
