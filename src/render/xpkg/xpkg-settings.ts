import type {Runtime} from '../../declaration/runtime/runtime.js'
import type {RevisionPolicy} from '../../declaration/xpkg-settings.js'
import type {Mirrors} from '../../reference/mirrors.js'
import type {PullPolicy} from '../../reference/pull-policy.js'
import type {Activation} from './activation-policy.js'
import type {XpkgPin, XpkgResolver} from '../../xpkg/pins.js'

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
  /** Whether Crossplane ignores its request. */
  readonly paused?: boolean
  /** In place of the pin of the set. */
  readonly pin?: XpkgPin
}

/** How a set of packages for a current Crossplane is rendered. */
export interface XpkgSettings extends FieldSettings {
  readonly pin: XpkgPin
  /** Whether Crossplane resolves dependencies; by default it does, unless packages are pinned by digest. */
  readonly resolver?: XpkgResolver
  /** The version of Crossplane that the set is for; without one, the newest. */
  readonly coreVersion?: string
  /** By default all kinds. */
  readonly activation?: Activation
  /** Registries that Crossplane reads in place of others, by ImageConfigs of the set. */
  readonly mirrors?: Mirrors
  /** The names that ImageConfigs of the set have in place of their own; `none` leaves one out. */
  readonly imageConfigs?: Readonly<Record<string, string>>
  /** The repository that Crossplane already reads in place of another one, if any. */
  readonly mirrorOf?: (repository: string) => string | undefined
  /** Settings of single packages by repository; they take precedence. */
  readonly own?: ReadonlyMap<string, PackageSettings>
}

/** How content and dependencies of requests are decided. */
type ResolverSettings = Pick<XpkgSettings, 'pin' | 'resolver' | 'own'>

/** Returns how a package is pinned: as its own settings say, or those of the set. */
export function pinOf(repository: string, {pin, own}: Pick<XpkgSettings, 'pin' | 'own'>): XpkgPin {
  return own?.get(repository)?.pin ?? pin
}

/** Reports whether Crossplane leaves out a package when it resolves dependencies. */
export function isSkipped(repository: string, settings: ResolverSettings): boolean {
  return settings.resolver === 'off' || pinOf(repository, settings) === 'digest'
}
