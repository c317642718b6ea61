import type {ReportProgress} from '../../registry/progress.js'
import type {RegistryAt} from '../../registry/registry.js'
import type {BasePorts} from './base-image.js'
import type {BuildPorts, BuildQuery} from '../../package/build.js'
import type {AttestPorts} from './attestations.js'
import type {PushSigning} from './sign-pushed.js'
import type {IndexTarget} from '../index/index-target.js'

/** The package to push, and its target. */
export interface PushQuery extends BuildQuery {
  /** A folder, which is built, or a layout or archive, which is pushed unchanged. */
  readonly path: string
  /** Built packages for a current Crossplane, for other platforms than that of `path`. */
  readonly others?: readonly string[]
  readonly reference: string
  /** The base image. */
  readonly from?: string
  /** Overwrites a tag that exists with other content. */
  readonly force?: boolean
  /** The index to add the package to. */
  readonly index?: IndexTarget
  /** Signs the package, before it is added to an index. */
  readonly signing?: PushSigning
}

export interface PushPorts extends BuildPorts, BasePorts, AttestPorts {
  readonly registry: RegistryAt
  readonly report?: ReportProgress
}
