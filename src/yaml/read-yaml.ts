import {type Event, EVENT_ID, parseEvents, YAMLException} from 'js-yaml'
import {MAX_DEPTH, offsetOf, ValueBuilder} from './build-value.js'
import {eventAt} from './event-path.js'
import type {FieldPath, JsonValue} from './json-value.js'
import {lineNumbers} from './line-numbers.js'
import {sourceText} from './source-text.js'
import {type Refuse, throwYamlFault} from './yaml-fault.js'

/** One document of a YAML stream, read as Kubernetes tools read it. */
export interface YamlDocument {
  readonly value: JsonValue
  /** The line its content starts on, from 1. */
  readonly line: number
  /** Keys that a mapping has twice; the last one counts. */
  readonly duplicateKeys: readonly {readonly path: FieldPath; readonly line: number}[]
  /** The line of what stands at the path, or at the longest part of it that is there. */
  lineOf(path: FieldPath): number
}

/**
 * Reads all documents of a YAML stream that are not empty, with go-yaml v2's meaning of scalars, keys and merges.
 * `file` names the source in messages. Throws `input-invalid` with the first fault.
 */
export function readYaml(bytes: Uint8Array, file: string): YamlDocument[] {
  const text = sourceText(bytes, file)
  const lineOf = lineNumbers(text)
  const refuse: Refuse = (rule, message, offset) =>
    throwYamlFault(rule, message, file, lineOf(Math.max(0, offset)))
  const events = parse(text, file)
  const builder = new ValueBuilder({text, events, refuse})
  return documentStarts(events, refuse).flatMap(start => {
    const {value, duplicates} = builder.document(start)
    if (value === null) return []
    const line = lineOf(Math.max(0, offsetOf(events[start + 1])))
    const duplicateKeys = duplicates.map(({path, offset}) => ({path, line: lineOf(offset)}))
    const lineOfPath = (path: FieldPath) => {
      const offset = offsetOf(eventAt(parse(text, file), start + 1, path, text))
      return offset === -1 ? line : lineOf(offset)
    }
    return [{value, line, duplicateKeys, lineOf: lineOfPath}]
  })
}

function parse(text: string, file: string): Event[] {
  try {
    return parseEvents(text, {maxDepth: MAX_DEPTH})
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const tooDeep = error.reason.includes('depth') || error.reason.includes('nesting')
    return throwYamlFault(
      tooDeep ? 'yaml-limit' : 'yaml-syntax',
      error.reason,
      file,
      (error.mark?.line ?? 0) + 1,
    )
  }
}

function documentStarts(events: readonly Event[], refuse: Refuse): number[] {
  return events.flatMap((event, index) => {
    if (event.type !== EVENT_ID.DOCUMENT) return []
    if (event.directives.some(directive => directive.kind === 'tag'))
      refuse('yaml-syntax', 'a %TAG directive is not supported', 0)
    return [index]
  })
}
