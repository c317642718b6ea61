import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {Nameable} from '../../reference/named.js'
import {listSome} from '../../text.js'

/** The stages of an uninstall, in their order, as a declaration reaches them. */
export const STAGES = ['draining', 'crds-only', 'removed'] as const

/**
 * What a declaration becomes by one step of an uninstall. A package for a current Crossplane is no longer requested at
 * once.
 */
export type RemovalStage = (typeof STAGES)[number] | 'unrequested'

/** The next step of an uninstall: what the declaration becomes, and why it must not be committed. */
export interface RemovalStep {
  /** NAMESPACE/NAME, or the repository of a package for a current Crossplane. */
  readonly key: string
  readonly stage: RemovalStage
  readonly text: string
  /** Absent if the declaration has reached the stage already. */
  readonly subject?: string
  readonly rejections: readonly Diagnostic[]
}

/** An install of a lock that can be removed from its declaration. */
export interface Removal extends Nameable {
  /** NAMESPACE/NAME, or the repository of a package for a current Crossplane. */
  readonly key: string
  /** Plans the next step. @param last - as in a request. */
  step(file: DeclarationFile, last: RemovalStage | undefined): RemovalStep
}

/** Rejects the removal of what others require; `what` they are. */
export function requiredBy(
  key: string,
  dependents: readonly string[],
  what: 'installs' | 'packages',
): readonly Diagnostic[] {
  if (dependents.length === 0) return []
  return [
    {
      severity: 'error',
      rule: 'required-install',
      message: `${key} is required by ${listSome(dependents)}`,
      suggestions: [`Uninstall the ${what} that require it first.`],
    },
  ]
}
