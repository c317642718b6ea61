import type {SchemaRule} from '../crd/changes/schema-change.js'
import type {JsonValue} from '../yaml/json-value.js'
import type {FactKind} from './package-surface.js'

/**
 * How bad a change is: an object that was valid can be rejected, lose a field or no longer be served; something is treated in
 * another way; or all that was valid stays so.
 */
export type Severity = 'breaking' | 'risky' | 'compatible'

/** The worst first. */
export const SEVERITIES: readonly Severity[] = ['breaking', 'risky', 'compatible']

/** The kinds of changes. The names are an interface, described in docs/compare.md. */
export type ChangeRule =
  | SchemaRule
  | (
      | 'kind-removed'
      | 'kind-added'
      | 'kind-renamed'
      | 'names-changed'
      | 'scope-changed'
      | 'activation-changed'
    )
  | ('version-removed' | 'version-added' | 'version-served' | 'version-unserved' | 'version-deprecated')
  | ('storage-changed' | 'conversion-changed')
  | ('subresource-added' | 'subresource-changed' | 'subresource-removed')
  | ('connection-key-added' | 'connection-key-removed')
  | ('package-added' | 'package-removed')
  | `${FactKind}-${'added' | 'removed'}`
  | ('dependency-changed' | 'image-changed')

/** One difference between two sets of packages. */
export interface Change {
  readonly severity: Severity
  readonly rule: ChangeRule
  /** The CRD that it is about: `PLURAL.GROUP`. */
  readonly crd?: string
  readonly kind?: string
  /** The versions of the CRD that change alike. */
  readonly versions?: readonly string[]
  /** Such as `spec.size`, `spec.list[]` or `spec.map.*`; empty for the whole object. */
  readonly path?: string
  /** The package that it is about. */
  readonly package?: string
  readonly before?: JsonValue
  readonly after?: JsonValue
}
