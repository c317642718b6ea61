import type {DeclaredParameters} from '../../declaration/declaration.js'
import type {RenderingSettings} from '../../declaration/render-settings.js'
import type {EraName} from '../../reference/era-name.js'
import type {InstallId} from '../../reference/install-id.js'
import type {PermissionScope} from '../../unpack/package.js'
import type {Fact} from '../facts.js'
import type {AcceptedMismatch, VersionPin} from '../resolution.js'

/** The packages and CRDs of a cluster, for resolving packages for it. */
export interface InstalledState {
  /** The CRDs that the cluster serves, also those that installs own. */
  readonly served: readonly Fact[]
  readonly packages: readonly InstalledPackage[]
  /** Identities whose versions are not kept. */
  readonly upgraded: ReadonlySet<string>
}

/** A package that a cluster has: an inventory, its witness or a request object names it. */
export interface InstalledPackage extends InstallId {
  readonly identity: string
  readonly tag: string
  readonly digest?: string
  readonly era: EraName
  readonly scope: PermissionScope
  /** The version that its request is restricted to. */
  readonly pin?: VersionPin
  /** The CRDs that it is known to own, as PLURAL.GROUP. */
  readonly crds: readonly string[]
  readonly mode: 'requested' | 'auto'
  readonly for: Readonly<Record<string, readonly string[]>>
  readonly acceptedMismatches?: readonly AcceptedMismatch[]
  /** Whether only its witness names it, because its inventory is missing or was changed. */
  readonly isOnlyWitnessed?: true
  /** Absent where another program processes a request, and where its inventory does not count. */
  readonly inventory?: {
    readonly settings: InstalledSettings
    /** Whether its request object is one of its objects. */
    readonly hasRequest: boolean
    /** The settings that it was rendered with, other than the defaults. */
    readonly rendering?: RenderingSettings
  }
}

/** The parameters that an install was rendered with. */
interface InstalledSettings extends DeclaredParameters {
  readonly scope: PermissionScope
  /** The fields of its request object that are kept as written. */
  readonly requestFields: {readonly crd?: string}
}
