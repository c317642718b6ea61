import type {Diagnostic} from './diagnostic.js'

/** What went wrong, as a stable word that scripts may test. `src/cli/exit-code.ts` maps each to an exit status. */
export type ErrorCode =
  | 'usage' // a flag, argument or request that contradicts itself or the package
  | 'reference-invalid' // text that is no package reference
  | 'reference-incomplete' // a local package needs an identity, image or version it does not have
  | 'not-found' // what a reference or path names is not there
  | 'read-failed' // a file exists and cannot be read
  | 'unsupported' // recognised, and not something this program reads
  | 'source-invalid' // an image, layout or archive that breaks its own format
  | 'source-unsafe' // a path, link or device that would leave the package
  | 'limit-exceeded' // larger, deeper or longer than a package may be
  | 'digest-mismatch' // bytes that are not what their digest says
  | 'registry-unreachable' // no answer, or a connection that broke
  | 'tls-refused' // a registry that could not prove who it is
  | 'access-denied' // a registry that wants other credentials, or none of these
  | 'registry-failed' // a registry that answers what no registry should
  | 'credentials-failed' // where credentials are kept could not be read or written
  | 'timeout' // nothing happened for too long
  | 'offline' // only the network has it, and --offline was given
  | 'cache-failed' // the cache could not be read or written
  | 'package-invalid' // the package itself is wrong: see the faults
  | 'input-invalid' // a file given with -f is wrong: see the faults
  | 'index-invalid' // an index of packages, or an entry of one, is wrong: see the faults
  | 'permissions-refused' // the package asks for more than packages are allowed by default
  | 'unresolvable' // nothing meets what a package depends on: see the findings
  | 'ambiguous-owner' // several packages own what is needed, and nobody said which is trusted
  | 'lock-outdated' // the answer is not what the lock says, and --locked was given
  | 'conflict' // two objects of one install set collide
  | 'output-refused' // writing would overwrite or leave what is not ours
  | 'output-failed' // the output could not be written

/**
 * Every failure that a person can do something about. The message says in one sentence what was attempted on which
 * object; `suggestions` hold the next step and `cause` the detail of the protocol or library underneath.
 */
export class CrossplaneError extends Error {
  readonly code: ErrorCode
  readonly diagnostics: readonly Diagnostic[]
  readonly suggestions: readonly string[]

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      cause?: unknown
      diagnostics?: readonly Diagnostic[]
      suggestions?: readonly string[]
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : {cause: details.cause})
    this.name = 'CrossplaneError'
    this.code = code
    this.diagnostics = details.diagnostics ?? []
    this.suggestions = details.suggestions ?? []
  }
}

/** The same failure with more to do about it, and in other words if they are given. */
export function withSuggestions(
  {code, message, cause, diagnostics, suggestions}: CrossplaneError,
  advice: readonly string[],
  words = message,
): CrossplaneError {
  return new CrossplaneError(code, words, {cause, diagnostics, suggestions: [...suggestions, ...advice]})
}
