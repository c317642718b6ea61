import type {Diagnostic} from '../../diagnostic.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import {asObject, asText, type FieldPath, isJsonArray} from '../../yaml/json-value.js'
import type {Candidate} from './candidate.js'

/** One entry of app.yaml's dependsOn, as it was read. */
export interface DependencyEntry {
  readonly index: number
  /** Empty where it names none, or nothing that could be a resource. */
  readonly crd: string
  /** Undefined where it names none. */
  readonly package: string | undefined
}

export interface DependencyProblem {
  readonly rule: string
  readonly field: 'crd' | 'package'
  /** Follows the name of the entry: `asks for …`. */
  readonly problem: string
}

/** What is wrong with the entries of dependsOn, each looked at by itself. */
export function dependencyFaults(
  {app}: Candidate,
  problemsOf: (entry: DependencyEntry) => readonly DependencyProblem[],
): Diagnostic[] {
  const entries = app?.value.fields.dependsOn
  if (app === undefined || !isJsonArray(entries)) return []
  return entries.flatMap((value, index) => {
    const {crd, package: repository} = asObject(value)
    const text = asText(crd)
    const problems = problemsOf({
      index,
      crd: /^[./]/.test(text) ? '' : text,
      package: repository === undefined ? undefined : asText(repository),
    })
    return problems.map(({rule, field, problem}) => {
      const path: FieldPath = ['dependsOn', index, field]
      return diagnosticAt(app.document, rule, path, `dependsOn[${index}] ${problem}`)
    })
  })
}
