import {isDeepStrictEqual} from 'node:util'
import {readBlockStyle} from '../../src/yaml/block-reader.js'
import {type BuiltDocument, DocumentBuilder} from '../../src/yaml/build-value.js'
import {parseText} from '../../src/yaml/parse-events.js'
import {sourceText} from '../../src/yaml/source-text.js'

/** What reading a text through js-yaml gives. */
interface Outcome {
  readonly documents: readonly BuiltDocument[]
  readonly values: number
}

/** The values of a text as js-yaml's events give them; undefined for a text that is rejected. */
function readWithJsYaml(text: string): Outcome | undefined {
  try {
    const builder = new DocumentBuilder(parseText(text, 'text'), rule => {
      throw new Error(rule)
    })
    const documents: BuiltDocument[] = []
    for (let next = builder.document(); next !== undefined; next = builder.document()) documents.push(next)
    return {documents, values: builder.values}
  } catch {
    return undefined
  }
}

/**
 * How a text is read fast: not at all, as js-yaml reads it, or another way, which is an error. The order of keys
 * counts, too.
 */
export function fastReading(given: string): 'none' | 'same' | 'other' {
  const text = acceptedText(given)
  const fast = text === undefined ? undefined : readBlockStyle(text)
  if (text === undefined || fast === undefined) return 'none'
  const slow = readWithJsYaml(text)
  return slow !== undefined && isDeepStrictEqual(comparable(fast), comparable(slow)) ? 'same' : 'other'
}

function acceptedText(given: string): string | undefined {
  try {
    return sourceText(Buffer.from(given), 'text')
  } catch {
    return undefined
  }
}

/** Empty documents are omitted, wherever they begin. */
function comparable({documents, values}: Outcome): unknown {
  return [values, documents.map(document => document.value !== null && [withOrder(document.value), document])]
}

function withOrder(value: unknown): unknown {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))
}
