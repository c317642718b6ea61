import type {Diagnostic} from '../../diagnostic.js'
import type {DiagnosticCollector, SourceDocument} from '../../unpack/diagnostics.js'
import {documentsIn, warningAt} from '../../unpack/diagnostics.js'
import type {PackageFile} from '../../unpack/package-file.js'

/**
 * Reads the documents of a YAML stream one after the other, so that a stream of a thousand CRDs is never in memory as a
 * whole. They are separated by lines of `---`, as Kubernetes separates them; empty ones are omitted. A document that
 * is not valid YAML becomes an error.
 */
export function* streamDocuments(
  {path, bytes}: PackageFile,
  collector: DiagnosticCollector,
): Generator<SourceDocument, void, undefined> {
  for (const {content, line} of streamParts(bytes)) {
    const own: DiagnosticCollector = {...collector, errors: [], warnings: []}
    const [first, second] = documentsIn(path, content, own)
    collector.errors.push(...own.errors.map(error => shifted(error, line)))
    collector.warnings.push(...own.warnings.map(warning => shifted(warning, line)))
    if (first === undefined) continue
    const document = placed(first, line)
    if (second !== undefined) warningAt(document, SEPARATOR, collector)
    yield document
  }
}

const SEPARATOR = {
  rule: 'xpkg-separator',
  message: 'only the part before the next separator is read: a separator is a line of --- alone',
}

interface Part {
  readonly content: Uint8Array
  /** The line of the file at which it begins, from 0. */
  readonly line: number
}

const LINE_FEED = 0x0a
const DASH = 0x2d

/** Separates the documents of a stream without reading them. */
export function* streamParts(bytes: Uint8Array): Generator<Part, void, undefined> {
  let [start, line, firstLine, lineStart] = [0, 0, 0, 0]
  while (lineStart < bytes.length) {
    const end = lineEnd(bytes, lineStart)
    if (isSeparator(bytes, lineStart, end)) {
      yield {content: bytes.subarray(start, lineStart), line: firstLine}
      start = end
      firstLine = line + 1
    }
    line += 1
    lineStart = end
  }
  yield {content: bytes.subarray(start), line: firstLine}
}

/** The place after the line feed. */
function lineEnd(bytes: Uint8Array, start: number): number {
  const feed = bytes.indexOf(LINE_FEED, start)
  return feed === -1 ? bytes.length : feed + 1
}

function isSeparator(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < start + 3; at += 1) if (bytes[at] !== DASH) return false
  return bytes.subarray(start + 3, end).every(byte => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))
}

function placed({yaml, ...document}: SourceDocument, line: number): SourceDocument {
  return {
    ...document,
    yaml: {...yaml, line: yaml.line + line, lineOf: path => yaml.lineOf(path) + line},
  }
}

function shifted(diagnostic: Diagnostic, line: number): Diagnostic {
  return diagnostic.line === undefined ? diagnostic : {...diagnostic, line: diagnostic.line + line}
}
