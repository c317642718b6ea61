import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {count, escaped} from '../../text.js'
import type {Origin} from './kubeconfig.js'

/** An error in an entry or field; `message` names it, and never quotes a secret. */
export interface KubeconfigProblem {
  readonly origin: Origin
  readonly message: string
}

/** Creates an `input-invalid` with a diagnostic for each error; the message has the first. */
export function invalidKubeconfig(problems: readonly KubeconfigProblem[], next: string): CrossplaneError {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${count(problems.length - 1, 'more error')})` : ''
  const file = escaped(first?.origin.file ?? '')
  return new CrossplaneError('input-invalid', `invalid kubeconfig ${file}: ${first?.message ?? ''}${more}`, {
    diagnostics: problems.map(diagnosticOf),
    suggestions: [next],
  })
}

function diagnosticOf({origin, message}: KubeconfigProblem): Diagnostic {
  return {severity: 'error', rule: 'kubeconfig', message, ...origin}
}
