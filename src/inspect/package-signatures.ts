import type {Claim} from '../signatures/claims.js'
import type {RejectedDocument} from '../signatures/signed-document.js'

/** Signer, source and builder of a package, and whether they were verified. */
export interface PackageSignatures {
  /**
   * `verified` by the signers that a policy trusts; `warned` if it requires more, and only warns; `unverified` if they are only
   * what the signatures say; `unread` if the signatures could not be read.
   */
  readonly status: 'verified' | 'warned' | 'unverified' | 'unread'
  readonly statements: readonly Claim[]
  /** Signatures that cannot be read, or are for another image. */
  readonly rejected: readonly RejectedDocument[]
  /** Why the signatures were not read. */
  readonly reason?: string
}
