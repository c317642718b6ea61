import {quoted} from '../../text.js'
import {type DiagnosticCollector, errorAt, type SourceDocument, warningAt} from '../../unpack/diagnostics.js'
import type {FieldPath} from '../../yaml/json-value.js'
import {type Constraint, readConstraint} from '../constraints/constraint.js'
import {differenceOf} from '../constraints/difference.js'

interface ConstraintPlace {
  readonly document: SourceDocument
  readonly path: FieldPath
  readonly collector: DiagnosticCollector
}

/**
 * Reports a constraint that a current core rejects, under a rule, and one that means something else for the next core.
 */
export function checkConstraint(
  text: string,
  {document, path, collector}: ConstraintPlace,
  rule: string,
): void {
  const [older, newer] = [readConstraint(text, 'v1'), readConstraint(text, 'v3')]
  if (older === undefined || newer === undefined) {
    errorAt(document, {rule, path, message: `${quoted(text)} ${rejection(older, newer)}`}, collector)
    return
  }
  const difference = differenceOf(older, newer)
  if (difference === undefined) return
  const {tag, satisfies} = difference
  const [since, not] =
    satisfies === 'v1'
      ? ['Crossplane up to 2.2', 'Crossplane 2.3 and later']
      : ['Crossplane 2.3 and later', 'Crossplane up to 2.2']
  const message = `${quoted(text)} depends on the core: ${tag} satisfies it for ${since}, but not for ${not}`
  warningAt(document, {rule: 'xpkg-constraint-meaning', path, message}, collector)
}

function rejection(older: Constraint | undefined, newer: Constraint | undefined): string {
  if (older === undefined && newer === undefined) return 'is not a constraint on versions'
  return older === undefined
    ? 'is not a constraint for Crossplane up to 2.2: separate conditions with a comma'
    : 'is not a constraint for Crossplane 2.3 and later'
}
