import {listAll} from '../text.js'
import type {GoTypes} from '../unpack/go/go-types.js'
import {XPKG_PINS, XPKG_RESOLVERS, type XpkgPin, type XpkgResolver} from '../xpkg/pins.js'
import {isDnsSubdomain} from '../reference/kubernetes-names.js'
import {
  asObject,
  asText,
  type FieldPath,
  isJsonArray,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import type {DeclarationCheck} from './declaration-check.js'

/** How all packages for a current Crossplane are rendered; one that is absent has its default. */
export interface DeclaredXpkgSettings {
  readonly pin?: XpkgPin
  /** Whether Crossplane resolves dependencies. */
  readonly resolver?: XpkgResolver
  /** The kinds of managed resources that policies of the set activate: all, those that Compositions use, none, or these names and patterns. */
  readonly activate?: (typeof ACTIVATE)[number] | readonly string[]
  readonly revisionActivationPolicy?: RevisionPolicy
  readonly revisionHistoryLimit?: number
  /** Whether Crossplane reads packages from the `registries` of the declaration, too. */
  readonly mirrors?: boolean
  /** The names that ImageConfigs of the set have in the cluster, by their own; `none` leaves one out of the set. */
  readonly imageConfigs?: Readonly<Record<string, string>>
}

/** The words for the kinds of managed resources to activate; for `none`, the policies of the cluster decide. */
export const ACTIVATE = ['all', 'used', 'none'] as const

/** How new revisions are activated. */
export const REVISION_POLICIES = ['Automatic', 'Manual'] as const
export type RevisionPolicy = (typeof REVISION_POLICIES)[number]

/** The types of the fields. */
export const XPKG_FIELDS: GoTypes[string] = {
  pin: 'string*',
  resolver: 'any*',
  activate: 'any*',
  revisionActivationPolicy: 'string*',
  revisionHistoryLimit: 'integer*',
  mirrors: 'boolean*',
  imageConfigs: 'map:string?',
} satisfies Record<keyof DeclaredXpkgSettings, string>

const VALUES = {
  pin: XPKG_PINS,
  revisionActivationPolicy: REVISION_POLICIES,
} as const

/** Checks the values of the fields. */
export function checkXpkgSettings(fields: JsonObject, check: Pick<DeclarationCheck, 'is' | 'words'>): void {
  check.words(['xpkg'], fields, VALUES)
  checkActivate(fields, check)
  checkResolver(fields, check)
  checkHistoryLimit(['xpkg'], fields, check)
  for (const [name, other] of Object.entries(asObject(fields.imageConfigs)))
    check.is(
      ['xpkg', 'imageConfigs', name],
      isDnsSubdomain(asText(other)),
      'is not the name of an ImageConfig, or none',
    )
}

/** Names of CRDs, and patterns of them as ManagedResourceActivationPolicies have. */
const ACTIVATED = /^[a-z0-9.*?-]+$/

function checkActivate({activate}: JsonObject, check: Pick<DeclarationCheck, 'is' | 'words'>): void {
  if (activate === undefined) return
  if (!isJsonArray(activate)) {
    check.words(['xpkg'], {activate}, {activate: ACTIVATE})
    return
  }
  activate.forEach((name, index) => {
    const isName = typeof name === 'string' && ACTIVATED.test(name)
    check.is(
      ['xpkg', 'activate', index],
      isName,
      'is not the name of a CRD, or a pattern such as *.example.org',
    )
  })
}

function checkResolver({pin, resolver}: JsonObject, check: Pick<DeclarationCheck, 'is'>): void {
  const word = resolverOf(resolver)
  check.is(
    ['xpkg', 'resolver'],
    resolver === undefined || word !== undefined,
    `is not one of ${listAll(XPKG_RESOLVERS, 'or')}`,
  )
  check.is(['xpkg', 'resolver'], word !== 'off' || pin !== 'tag', 'requires pin: config or pin: digest')
  check.is(['xpkg', 'resolver'], word !== 'on' || pin !== 'digest', 'cannot be on with pin: digest')
}

/** Checks the values of the fields that an entry can have, too. */
export function checkRevisionSettings(
  at: FieldPath,
  fields: JsonObject,
  check: Pick<DeclarationCheck, 'is' | 'words'>,
): void {
  check.words(at, fields, {revisionActivationPolicy: REVISION_POLICIES})
  checkHistoryLimit(at, fields, check)
}

function checkHistoryLimit(at: FieldPath, fields: JsonObject, check: Pick<DeclarationCheck, 'is'>): void {
  const limit = fields.revisionHistoryLimit
  const isLimit = limit === undefined || (Number.isSafeInteger(limit) && Number(limit) >= 0)
  check.is([...at, 'revisionHistoryLimit'], isLimit, 'must be 0 or more')
}

/** Returns the settings with the word of each value. */
export function xpkgSettings({resolver: text, ...fields}: JsonObject): DeclaredXpkgSettings {
  const resolver = resolverOf(text)
  return {...fields, ...(resolver === undefined ? {} : {resolver})}
}

/** Without quotes, `on` and `off` are booleans in YAML 1.1, and so for Kubernetes. */
function resolverOf(value: JsonValue | undefined): XpkgResolver | undefined {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return XPKG_RESOLVERS.find(word => word === value)
}
