import type {SignatureRule} from '../../signatures/signature-rule.js'

/** What a team requires of all declarations that name its file. It only restricts. */
export interface Policy {
  /** Its name for messages. */
  readonly file: string
  /** The owners of API groups, which declarations can add to. */
  readonly owners: readonly Sourced<{readonly group: string; readonly package: string}>[]
  /** The registries, with or without a path, that packages can come from; absent for any. */
  readonly sources?: readonly Sourced<{readonly prefix: string}>[]
  /** Who has to have signed which packages and images; absent without rules. */
  readonly signatures?: readonly DeclaredSignatures[]
  readonly limits: PolicyLimits
  readonly manager: ManagedNamespaces
}

/** The namespaces whose requests a package manager serves, besides its own. */
interface ManagedNamespaces {
  /** Those that can request Namespaced packages. */
  readonly namespaces: readonly string[]
  /** Those that can also request Cluster packages. */
  readonly clusterNamespaces: readonly string[]
}

/** Who has to have signed the packages of some repositories, as written: files have not been read. */
export interface DeclaredSignatures extends Omit<SignatureRule, 'place' | 'signers'> {
  readonly line: number
  readonly signers: readonly DeclaredSigner[]
  /** A path relative to the folder of the policy, as that of a key. */
  readonly trustedRoot?: string
}

/** A trusted signer, as written. */
export type DeclaredSigner =
  | {readonly kind: 'key'; readonly pem: string}
  | {readonly kind: 'key-file'; readonly file: string}
  | {readonly kind: 'identity'; readonly issuer: string; readonly subject: string}

/** A value, and the line of the file that has it. */
type Sourced<T> = T & {readonly line: number}

/** The limits of a resolution. */
interface PolicyLimits {
  /** The maximum number of packages. */
  readonly packages?: Sourced<{readonly value: number}>
  /** The maximum time to resolve dependencies, in seconds. */
  readonly solveTimeoutSeconds?: number
}
