import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {count, escaped} from '../../text.js'
import type {Origin} from './kubeconfig.js'

/** An error in an entry or field; `message` names it, and never quotes a secret. */
export interface KubeconfigFieldError {
  readonly origin: Origin
  readonly message: string
}

/** Creates an `input-invalid` with a diagnostic for each error; the message has the first. */
export function invalidKubeconfig(errors: readonly KubeconfigFieldError[], next: string): CrossplaneError {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${count(errors.length - 1, 'more error')})` : ''
  const file = escaped(first?.origin.file ?? '')
  return new CrossplaneError('input-invalid', `invalid kubeconfig ${file}: ${first?.message ?? ''}${more}`, {
    diagnostics: errors.map(diagnosticOf),
    suggestions: [next],
  })
}

function diagnosticOf({origin, message}: KubeconfigFieldError): Diagnostic {
  return {severity: 'error', rule: 'kubeconfig', message, ...origin}
}
