import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {
  documentsIn,
  diagnosticAt,
  type DiagnosticCollector,
  type SourceDocument,
} from '../unpack/diagnostics.js'
import {asObject} from '../yaml/json-value.js'
import {asError} from './as-error.js'
import {EMPTY_LOCK, readLockDocument} from './lock-document.js'
import {mergeMarks} from './merge-marks.js'
import {otherKind} from './other-kind.js'
import {type Lock, LOCK_FORMAT, LOCK_KIND} from './lock.js'
import {count} from '../text.js'

/**
 * Reads a lock; `name` is the file's for messages. Throws `input-invalid` with all errors, by file and line, and
 * `unsupported` for a format that is newer than this program. Fields that it does not know are kept.
 */
export function readLock(name: string, bytes: Uint8Array): Lock {
  const unmerged = mergeMarks(name, bytes, 'lock-merge')
  if (unmerged.length > 0) throw invalid(name, unmerged, [MERGE_FIRST])
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  const [document, ...others] = documentsIn(name, bytes, collector)
  if (document === undefined && collector.errors.length === 0) {
    collector.errors.push({severity: 'error', rule: 'lock-empty', message: 'the file is empty', file: name})
  }
  for (const other of others) {
    collector.errors.push(diagnosticAt(other, 'lock-documents', [], 'a lock must be a single document'))
  }
  if (document !== undefined) rejectOthers(document)
  const lock = document === undefined ? EMPTY_LOCK : readLockDocument(document, collector)
  // Fields of newer versions are kept; a field in another case, or a duplicate, is an error.
  const wrong = collector.warnings.filter(({rule}) => rule !== 'unknown-field').map(asError)
  const diagnostics = [...collector.errors, ...wrong].sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  if (diagnostics.length === 0) return lock
  throw invalid(name, diagnostics, [
    'Restore it from version control, or delete it and run kubectl crossplane package lock',
  ])
}

const MERGE_FIRST =
  'Keep either side of each conflict, merge the declaration, and run kubectl crossplane package lock'

function invalid(
  name: string,
  diagnostics: readonly Diagnostic[],
  suggestions: readonly string[],
): CrossplaneError {
  const total = count(diagnostics.length, 'error')
  return new CrossplaneError('input-invalid', `cannot read the lock ${name}: ${total}`, {
    diagnostics,
    suggestions,
  })
}

/** A file of another kind is not one to delete. */
function rejectOthers(document: SourceDocument): void {
  const other = otherKind(document.yaml.value, LOCK_KIND)
  if (other === undefined) return rejectNewer(document)
  const wrong = diagnosticAt(document, 'lock-value', ['kind'], other)
  throw invalid(document.name, [wrong], ['Pass the path of a PackageLock.'])
}

function rejectNewer({name, yaml}: SourceDocument): void {
  const {kind, formatVersion} = asObject(yaml.value)
  const isNumber = typeof formatVersion === 'number' || typeof formatVersion === 'bigint'
  if (kind !== LOCK_KIND || !isNumber || formatVersion <= LOCK_FORMAT) return
  throw new CrossplaneError(
    'unsupported',
    `cannot read the lock ${name}: it has format ${formatVersion}, but the newest supported one is ${LOCK_FORMAT}`,
    {suggestions: ['Upgrade kubectl-crossplane to the version that wrote it, or newer.']},
  )
}
