import type {Diagnostic, JsonObject} from 'kubectl-crossplane/plugin'
import type {TemplateObject} from './template-object.js'

/** What an engine made for one custom resource. */
export interface MadeObjects {
  /** In the order in which they are applied. */
  readonly objects: readonly TemplateObject[]
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly notes?: readonly Diagnostic[]
  /** Templates that failed while others did not: the objects of these are applied. */
  readonly failures?: readonly Diagnostic[]
  /** The fields that templates set in the status of the custom resource. */
  readonly status?: JsonObject
}
