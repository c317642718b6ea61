import type {Requirement} from './predicates.js'
import type {TrustedSigner} from './trusted-signer.js'

/** Who has to have signed the images of some repositories, and what. */
export interface SignatureRule {
  /** Where it is written, and who answers for it; absent for flags. */
  readonly place?: {
    readonly file: string
    readonly line: number
    readonly field: string
    readonly owner?: string
  }
  /** Registries with or without a path, compared by whole segments; `*` for any. */
  readonly repositories: readonly string[]
  readonly signers: readonly TrustedSigner[]
  readonly require: readonly Requirement[]
  /** Patterns for the builder and the source that provenance has to state. */
  readonly builder?: string
  readonly source?: string
  /** What to do with an image that does not satisfy it. */
  readonly otherwise: 'reject' | 'warn'
}
