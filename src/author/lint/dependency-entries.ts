import type {Diagnostic} from '../../diagnostic.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import {asObject, asText, type FieldPath, isJsonArray} from '../../yaml/json-value.js'
import type {Candidate} from './candidate.js'

/** An entry of app.yaml's dependsOn. */
export interface DependencyEntry {
  readonly index: number
  /** Empty where the entry names no CRD, or none that could be a resource. */
  readonly crd: string
  /** Undefined where the entry names no package. */
  readonly package: string | undefined
}

export interface DependencyDiagnostic {
  readonly rule: string
  readonly field: 'crd' | 'package'
  /** Follows the name of the entry: `requires …`. */
  readonly text: string
}

/** Collects the diagnostics of each entry of dependsOn. */
export function dependencyDiagnostics(
  {app}: Candidate,
  diagnosticsOf: (entry: DependencyEntry) => readonly DependencyDiagnostic[],
): Diagnostic[] {
  const entries = app?.value.fields.dependsOn
  if (app === undefined || !isJsonArray(entries)) return []
  return entries.flatMap((value, index) => {
    const {crd, package: repository} = asObject(value)
    const text = asText(crd)
    const diagnostics = diagnosticsOf({
      index,
      crd: /^[./]/.test(text) ? '' : text,
      package: repository === undefined ? undefined : asText(repository),
    })
    return diagnostics.map(({rule, field, text}) => {
      const path: FieldPath = ['dependsOn', index, field]
      return diagnosticAt(app.document, rule, path, `dependsOn[${index}] ${text}`)
    })
  })
}
