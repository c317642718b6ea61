import type {Diagnostic} from '../diagnostic.js'
import type {AssumedInstall} from './assumed-install.js'
import type {ObjectCount} from './object-counts.js'
import type {PackageFacts} from './package-facts.js'
import type {PackageSignatures} from './package-signatures.js'
import type {Permissions} from './permissions.js'
import type {ProvidedCrd} from './provided-crds.js'
import type {Requirement} from './requirements.js'
import type {Runs} from './runs.js'

/**
 * A report for the review of a package before it is installed. Its field names are an interface, described in
 * docs/schemas/inspect-report.md: fields can be added, and change only with the version of the document.
 */
export interface InspectReport {
  readonly package: PackageFacts
  /** Absent for a package in a folder or a layout. */
  readonly signatures?: PackageSignatures
  /** The install that the rest of the report describes. */
  readonly install: AssumedInstall
  /** By name. */
  readonly provides: readonly ProvidedCrd[]
  /** In the order of app.yaml's dependsOn. */
  readonly requires: readonly Requirement[]
  readonly runs: Runs
  readonly permissions: Permissions
  /** The content of the install, by kind. */
  readonly objects: readonly ObjectCount[]
  /** The warnings of reading the package. */
  readonly warnings: readonly Diagnostic[]
}
