import type {XpkgPin} from './closure.js'

/** How a set of packages for a current Crossplane is rendered. */
export interface XpkgSettings {
  readonly pin: XpkgPin
  /** The version of Crossplane that the set is for; without one, the newest. */
  readonly coreVersion?: string
  /** Fields of every request; without a value, Crossplane's default applies. */
  readonly revisionActivationPolicy?: 'Automatic' | 'Manual'
  readonly revisionHistoryLimit?: number
  readonly packagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  readonly packagePullSecrets?: readonly string[]
}
