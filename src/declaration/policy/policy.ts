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
  /** What must not be in a package. */
  readonly reject: DeclaredRejects
  /** Rules of the team's own, in CEL. */
  readonly rules: readonly DeclaredRule[]
  /** Who answers for the policy; absent if it does not say. */
  readonly contact?: string
  readonly limits: PolicyLimits
  readonly manager: ManagedNamespaces
}

/** Why a permission is wide: more than the kinds of a package. */
export const WIDE_PERMISSIONS = [
  'cluster-secrets',
  'core-group',
  'escalation',
  'kubernetes-group',
  'non-resource-urls',
  'wildcard-group',
  'wildcard-resource',
] as const
export type WidePermission = (typeof WIDE_PERMISSIONS)[number]

/** How a plan changes a CRD that exists. */
export const CRD_CHANGES = [
  'dropped',
  'fields-pruned',
  'names-changed',
  'schema-narrowed',
  'scope-changed',
  'stored-version-removed',
  'version-removed',
  'version-unserved',
] as const
export type CrdChangeKind = (typeof CRD_CHANGES)[number]

/** What a policy rejects by fields of its own; absent fields reject nothing. */
export interface DeclaredRejects {
  readonly widePermissions?: Sourced<{readonly reasons: readonly WidePermission[]}>
  readonly imagesWithoutDigest?: Sourced<object>
  readonly privilegedDeployments?: Sourced<object>
  /** Effects of upgrades on objects that a lock accepts. */
  readonly acceptedImpacts?: Sourced<object>
  readonly crdChanges?: Sourced<{readonly changes: readonly CrdChangeKind[]}>
}

/** A rule in CEL: a package for which the expression is not true is rejected. */
export interface DeclaredRule {
  readonly name: string
  readonly expression: DeclaredExpression
  /** What is said of a package that is rejected. */
  readonly message?: string
  /** An expression for that text; it takes precedence. */
  readonly messageExpression?: DeclaredExpression
  readonly line: number
}

/** An expression, and where it begins. */
export interface DeclaredExpression {
  readonly text: string
  readonly line: number
  /** The number of characters before it in its lines; absent where the lines of the file are not those of the text. */
  readonly indent?: number
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
export type Sourced<T> = T & {readonly line: number}

/** The limits of a resolution. */
interface PolicyLimits {
  /** The maximum number of packages. */
  readonly packages?: Sourced<{readonly value: number}>
  /** The maximum time to resolve dependencies, in seconds. */
  readonly solveTimeoutSeconds?: number
}
