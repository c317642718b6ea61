import type {Diagnostic} from '../../diagnostic.js'

/** The stages of an uninstall, in their order, as a declaration reaches them. */
export const STAGES = ['draining', 'crds-only', 'removed'] as const

/**
 * What a declaration becomes by one step of an uninstall. A package for a current Crossplane is no longer requested at
 * once.
 */
export type RemovalStage = (typeof STAGES)[number] | 'unrequested'

/** The next step of an uninstall: what the declaration becomes, and why it must not be committed. */
export interface RemovalStep {
  /** NAMESPACE/NAME. */
  readonly key: string
  readonly stage: RemovalStage
  readonly text: string
  /** Absent if the declaration has reached the stage already. */
  readonly subject?: string
  readonly rejections: readonly Diagnostic[]
}
