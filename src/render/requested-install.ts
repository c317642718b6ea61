import type {RenderingSettings} from '../declaration/render-settings.js'
import type {VersionPin} from '../resolve/resolution.js'
import type {DeclaredParameters} from '../declaration/declaration.js'
import type {Runtime} from '../declaration/runtime/runtime.js'
import type {InstallRequest} from './request.js'
import type {RequestedRoot} from '../resolve/requested/requested-roots.js'
import type {PermissionScope} from '../unpack/package.js'
import type {XpkgPin} from '../xpkg/pins.js'

/** What a request says of an install besides its package and its place. */
export interface RequestSettings extends DeclaredParameters {
  readonly scope?: PermissionScope
  /** How its controller runs. */
  readonly runtime?: Runtime
  /** Further fields of a request object in the input, which are kept as written. */
  readonly requestFields?: Pick<InstallRequest, 'package' | 'crd' | 'labels' | 'annotations'>
}

/** One package or CRD that the user requests, with the settings of its install. */
export interface RequestedInstall extends RequestedRoot {
  readonly parameters: RequestSettings
  /** The version restriction to record, if it is not that of the target. */
  readonly pinned?: VersionPin
  /** How a package for a current Crossplane is pinned, if not as the others. */
  readonly pin?: XpkgPin
  /** The settings of rendering besides those of the command, for this install only. */
  readonly rendering?: RenderingSettings
  /** The step of an uninstall from rendered files; in a cluster it has no effect. */
  readonly removal?: 'draining' | 'crds-only'
}
