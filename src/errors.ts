import {changedTexts, type Diagnostic} from './diagnostic.js'

/** The kind of a failure, as a stable ID that scripts can test. `src/cli/shell/exit-code.ts` maps each to an exit status. */
export type ErrorCode =
  | 'usage' // a flag, argument or request that contradicts another or the package
  | 'scope-mismatch' // the kind of a request is for packages of the other permissionScope
  | 'reference-invalid' // text that is not a package reference
  | 'reference-incomplete' // a local package lacks a required identity, image or version
  | 'not-found' // the target of a reference or path does not exist
  | 'read-failed' // a file exists but cannot be read
  | 'unsupported' // a recognized format that this program does not read
  | 'source-invalid' // an image, layout or archive that violates its own format
  | 'source-unsafe' // a path, link or device that would leave the package
  | 'limit-exceeded' // larger, deeper or longer than a package can be
  | 'digest-mismatch' // content that does not match its digest
  | 'registry-unreachable' // no response, or a connection that broke
  | 'tls-refused' // the TLS certificate of a registry or API server is not trusted
  | 'access-denied' // authentication required or failed, or permission denied
  | 'registry-failed' // an unexpected response of a registry
  | 'credentials-failed' // the stored credentials cannot be read or written
  | 'timeout' // no progress for too long
  | 'offline' // only the network has it, and --offline was given
  | 'cache-failed' // the cache cannot be read or written
  | 'package-invalid' // the package has errors: see the diagnostics
  | 'input-invalid' // a file given by the user has errors: see the diagnostics
  | 'index-invalid' // an index of packages, or an entry in it, has errors: see the diagnostics
  | 'permissions-refused' // the package requests permissions that packages do not get by default
  | 'policy-refused' // the policy of a team rejects a package, an owner or the size of a resolution
  | 'signature-refused' // a signature or attestation that is required is missing, not valid or not of a trusted signer
  | 'unresolvable' // no selection of packages satisfies all requirements: see the diagnostics
  | 'ambiguous-owner' // several packages own a required CRD, and the user has not selected one
  | 'lock-outdated' // the result differs from the lock file, and --locked was given
  | 'conflict' // two objects of one install set collide
  | 'output-refused' // writing would overwrite or leave files that this program does not manage
  | 'cluster-refused' // the change could lose data, or objects of others; see the diagnostics
  | 'plan-outdated' // the cluster is not, or no longer, the one that a confirmed or saved plan is for
  | 'inventory-invalid' // the record of an install in a cluster does not have the form that this program writes
  | 'declined' // the user did not confirm the plan
  | 'git-refused' // a commit could lose or include changes of others, or git rejects the repository of another user
  | 'git-failed' // git, a hook, a signature or a remote repository failed, or there is no repository
  | 'output-failed' // the output cannot be written
  | 'cluster-unreachable' // no response of an API server, or a connection that broke
  | 'cluster-failed' // an unexpected response of an API server
  | 'cluster-denied' // an API server rejects the credentials, or the user lacks a permission
  | 'cluster-rejected' // an API server rejects a change: invalid, changed in the meantime, or by admission
  | 'interrupted' // SIGINT (Ctrl-C) ended a change of a cluster before it was complete
  | 'terminated' // the same for SIGTERM
  | 'conflict-with-manager' // another manager owns fields of an object

/**
 * Every failure that a user can act on. The message reads `cannot ACTION OBJECT: CAUSE`, or states the fact for usage
 * errors; `suggestions` hold the next step, `cause` details of a protocol or library.
 */
export class CrossplaneError extends Error {
  readonly code: ErrorCode
  readonly diagnostics: readonly Diagnostic[]
  readonly suggestions: readonly string[]
  /** The folder of the package whose files the diagnostics name, if it was read from a folder. */
  readonly packageFolder?: string
  /** Whether it answers the question of a command that judges, such as for an install that a cluster does not have. */
  readonly isAnswer?: boolean

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      cause?: unknown
      diagnostics?: readonly Diagnostic[]
      suggestions?: readonly string[]
      packageFolder?: string
      isAnswer?: boolean
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : {cause: details.cause})
    this.name = 'CrossplaneError'
    this.code = code
    this.diagnostics = details.diagnostics ?? []
    this.suggestions = details.suggestions ?? []
    this.packageFolder = details.packageFolder
    this.isAnswer = details.isAnswer
  }
}

/** Copies an error with further suggestions, and with another message if one is given. */
export function withSuggestions(
  {code, message, cause, diagnostics, suggestions, packageFolder, isAnswer}: CrossplaneError,
  further: readonly string[],
  newMessage = message,
): CrossplaneError {
  return new CrossplaneError(code, newMessage, {
    cause,
    diagnostics,
    suggestions: [...suggestions, ...further],
    packageFolder,
    isAnswer,
  })
}

/** Copies an error without its suggestions. */
export function withoutSuggestions(error: CrossplaneError): CrossplaneError {
  const {code, message, cause, diagnostics, packageFolder, isAnswer} = error
  return new CrossplaneError(code, message, {cause, diagnostics, packageFolder, isAnswer})
}

/** Copies an error with other diagnostics. */
export function withDiagnostics(error: CrossplaneError, diagnostics: readonly Diagnostic[]): CrossplaneError {
  const {code, message, cause, suggestions, packageFolder, isAnswer} = error
  return new CrossplaneError(code, message, {
    cause,
    diagnostics,
    suggestions,
    isAnswer,
    ...(packageFolder === undefined ? {} : {packageFolder}),
  })
}

const MAX_REASONS = 3

/** Returns an error as one reason: its message and what it counts, the first errors with file and line. */
export function reasonOf({message, diagnostics}: CrossplaneError): string {
  const errors = diagnostics.filter(({severity}) => severity === 'error')
  const shown = errors.slice(0, MAX_REASONS).map(({file, line, message: fact}) => {
    const place = [file, line].filter(part => part !== undefined).join(':')
    return place === '' ? fact : `${place}: ${fact}`
  })
  const more = errors.length > shown.length ? [`${errors.length - shown.length} more`] : []
  return shown.length === 0 ? message : `${message}: ${[...shown, ...more].join('; ')}`
}

/** Returns the same error with other texts, for example without the path of a temporary folder. Its cause stays. */
export function withTexts(
  {code, message, cause, diagnostics, suggestions, packageFolder, isAnswer}: CrossplaneError,
  change: (text: string) => string,
): CrossplaneError {
  return new CrossplaneError(code, change(message), {
    cause,
    diagnostics: diagnostics.map(diagnostic => changedTexts(diagnostic, change)),
    suggestions: suggestions.map(change),
    packageFolder,
    isAnswer,
  })
}
