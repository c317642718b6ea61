import type {GoTypes} from '../unpack/go/go-types.js'
import {XPKG_PINS, type XpkgPin} from '../xpkg/pins.js'
import type {JsonObject} from '../yaml/json-value.js'
import type {DeclarationCheck} from './declaration-check.js'

/** How all packages for a current Crossplane are rendered; one that is absent has its default. */
export interface DeclaredXpkgSettings {
  readonly pin?: XpkgPin
  /** The kinds of managed resources that are activated: all, or those that Compositions use. */
  readonly activate?: (typeof ACTIVATE)[number]
  readonly revisionActivationPolicy?: (typeof REVISION_POLICIES)[number]
  readonly revisionHistoryLimit?: number
  /** Whether Crossplane reads packages from the `registries` of the declaration, too. */
  readonly mirrors?: boolean
}

/** The words for the kinds of managed resources to activate. */
export const ACTIVATE = ['all', 'used'] as const

/** How new revisions are activated. */
const REVISION_POLICIES = ['Automatic', 'Manual'] as const

/** The types of the fields. */
export const XPKG_FIELDS: GoTypes[string] = {
  pin: 'string*',
  activate: 'string*',
  revisionActivationPolicy: 'string*',
  revisionHistoryLimit: 'integer*',
  mirrors: 'boolean*',
} satisfies Record<keyof DeclaredXpkgSettings, string>

const VALUES = {
  pin: XPKG_PINS,
  activate: ACTIVATE,
  revisionActivationPolicy: REVISION_POLICIES,
} as const

/** Checks the values of the fields. */
export function checkXpkgSettings(fields: JsonObject, check: Pick<DeclarationCheck, 'is' | 'words'>): void {
  check.words('xpkg', fields, VALUES)
  const limit = fields.revisionHistoryLimit
  const isLimit = limit === undefined || (Number.isSafeInteger(limit) && Number(limit) >= 0)
  check.is(['xpkg', 'revisionHistoryLimit'], isLimit, 'must be 0 or more')
}
