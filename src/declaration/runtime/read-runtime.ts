import {CrossplaneError} from '../../errors.js'
import {count} from '../../text.js'
import {type DiagnosticCollector, diagnosticAt, documentsIn, readPart} from '../../unpack/diagnostics.js'
import {readAs} from '../../unpack/go/go-types.js'
import {type FieldPath, formatPath, type JsonValue} from '../../yaml/json-value.js'
import {asError} from '../as-error.js'
import {checkRuntime} from './check-runtime.js'
import {type Runtime, RUNTIME_TYPES} from './runtime.js'

const AS = {type: 'Runtime', types: RUNTIME_TYPES, scalars: 'strict', isClosed: true} as const

/** Reads a file with a runtime. Throws `input-invalid` with all errors, by line. */
export function readRuntimeFile(name: string, bytes: Uint8Array): Runtime {
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  const [document, ...others] = documentsIn(name, bytes, collector)
  for (const other of others) {
    collector.errors.push(diagnosticAt(other, 'runtime-documents', [], 'a runtime must be a single document'))
  }
  const part = document && readPart(document, [], document.yaml.value, AS, collector)
  if (document !== undefined && part !== undefined) {
    const is = (path: FieldPath, holds: boolean, message: string) => {
      if (holds || part.isRejected(path)) return
      collector.errors.push(diagnosticAt(document, 'runtime-value', path, `${formatPath(path)} ${message}`))
    }
    checkRuntime([], part.fields, {is})
  }
  const diagnostics = [...collector.errors, ...collector.warnings.map(asError)].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0),
  )
  if (diagnostics.length === 0) return part?.fields ?? {}
  const message = `cannot read the runtime ${name}: ${count(diagnostics.length, 'error')}`
  throw new CrossplaneError('input-invalid', message, {
    diagnostics,
    suggestions: ['Use the fields of packages[].runtime in a declaration.'],
  })
}

/** An error in a runtime that is not in a file. */
interface RuntimeError {
  readonly path: FieldPath
  readonly message: string
}

/** Reads a runtime that is not in a file, with all errors. */
export function readRuntime(value: JsonValue): {
  readonly runtime: Runtime
  readonly errors: readonly RuntimeError[]
} {
  const {value: runtime, diagnostics} = readAs(AS.type, AS.types, value, AS.scalars)
  const errors: RuntimeError[] = diagnostics.map(({path, message}) => ({path, message}))
  const is = (path: FieldPath, holds: boolean, message: string) => {
    if (!holds) errors.push({path, message})
  }
  if (errors.length === 0) checkRuntime([], runtime, {is})
  return {runtime, errors}
}
