import type {Diagnostic} from '../diagnostic.js'
import type {JsonObject} from '../yaml/json-value.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'

export type PermissionScope = 'Cluster' | 'Namespaced'

/** The content of a `.registry/` folder, from any source. */
export interface Package {
  /** app.yaml's fields as the record repeats them: all but the format's own `apiVersion`. */
  readonly app: JsonObject
  readonly title: string
  /** app.yaml's version; without one, the reference can have it. */
  readonly version?: string
  readonly permissionScope: PermissionScope
  readonly dependencies: readonly Dependency[]
  /** The icons directly in `.registry/`, in walk order. */
  readonly icons: readonly Icon[]
  /** In the order of a sorted directory walk, and of the documents within a file. */
  readonly crds: readonly PackageCrd[]
  /** install.yaml's DeploymentSpec. */
  readonly controller?: JsonObject
  readonly behavior?: Behavior
  readonly warnings: readonly Diagnostic[]
}

/** `crd` as written: `<resource>.<group>[/<version>]`, or a `package` repository; never both. */
export type Dependency = {readonly crd: string} | {readonly package: string}

export interface Icon {
  readonly base64Data: string
  readonly mediatype: string
}

/** A CRD that the package owns, in the API version of its source, without status and timestamps. */
export interface PackageCrd {
  readonly file: string
  readonly object: KubernetesObject
  readonly definition: CrdDefinition
  readonly metadata: CrdMetadata
}

/** The facts of a CRD for other stages. `version` is the one that records name. */
export interface CrdDefinition {
  readonly name: string
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly version: string
  readonly versions: readonly string[]
  readonly subresources: {readonly status: boolean; readonly scale: boolean}
}

/** The metadata files that apply to a CRD. `uiSchemas` are in the order in which they are joined. */
export interface CrdMetadata {
  readonly group?: GroupMetadata
  readonly resource?: ResourceMetadata
  readonly icon?: Icon
  readonly uiSchemas: readonly string[]
}

export interface GroupMetadata {
  readonly title: string
  readonly category: string
  readonly readme: string
  readonly overview: string
  readonly overviewShort: string
}

export interface ResourceMetadata extends GroupMetadata {
  readonly titlePlural: string
}

/** behavior.yaml with its path cleaned; `controllerImage` is absent for the default. */
export interface Behavior {
  readonly crd: {readonly apiVersion: string; readonly kind: string}
  readonly engine: JsonObject
  readonly controllerImage?: string
  readonly source: {readonly image?: string; readonly path: string}
}
