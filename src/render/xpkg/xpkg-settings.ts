import type {Runtime} from '../../declaration/runtime/runtime.js'
import type {RevisionPolicy} from '../../declaration/xpkg-settings.js'
import type {Mirrors} from '../../reference/mirrors.js'
import type {PullPolicy} from '../../reference/pull-policy.js'
import type {Activation} from './activation-policy.js'
import type {XpkgPin} from '../../xpkg/pins.js'

/** Fields of a request; without a value, Crossplane's default applies. */
interface FieldSettings {
  readonly packagePullPolicy?: PullPolicy
  readonly packagePullSecrets?: readonly string[]
  readonly revisionActivationPolicy?: RevisionPolicy
  readonly revisionHistoryLimit?: number
}

/** Settings of one package. */
export interface PackageSettings extends FieldSettings {
  /** How its program runs. */
  readonly runtime?: Runtime
  readonly serviceAccountAnnotations?: Readonly<Record<string, string>>
  /** The name of a DeploymentRuntimeConfig that is not part of the set. */
  readonly runtimeConfig?: string
}

/** How a set of packages for a current Crossplane is rendered. */
export interface XpkgSettings extends FieldSettings {
  readonly pin: XpkgPin
  /** The version of Crossplane that the set is for; without one, the newest. */
  readonly coreVersion?: string
  /** By default all kinds. */
  readonly activation?: Activation
  /** Registries that Crossplane reads in place of others, by ImageConfigs of the set. */
  readonly mirrors?: Mirrors
  /** The repository that Crossplane already reads in place of another one, if any. */
  readonly mirrorOf?: (repository: string) => string | undefined
  /** Settings of single packages by repository; they take precedence. */
  readonly own?: ReadonlyMap<string, PackageSettings>
}
