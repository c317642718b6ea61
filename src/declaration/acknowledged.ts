import {parseImageName} from '../reference/image-name.js'
import {isCrdName} from '../reference/install-target.js'
import {isGroupPattern} from '../reference/kubernetes-names.js'
import {quoted} from '../text.js'
import type {GoTypes} from '../unpack/go/go-types.js'
import {asObject, asTexts, type JsonObject} from '../yaml/json-value.js'
import type {DeclarationCheck} from './declaration-check.js'

/** The notes on a resolution that a declaration can acknowledge: they repeat until something else changes. */
const ACKNOWLEDGED_RULES = [
  'held-back',
  'assumed',
  'assumed-crossplane',
  'assumed-kubernetes',
  'never-existed-group',
] as const

export type AcknowledgedRule = (typeof ACKNOWLEDGED_RULES)[number]

/**
 * What the user knows, by the rule of the note: the requirements that no package satisfies, as notes print them, and
 * for `held-back` the newest versions, as `REPOSITORY:TAG`. Other requirements and newer versions are still reported.
 */
export type Acknowledged = {readonly [Rule in AcknowledgedRule]?: readonly string[]}

/** The types of the fields. */
export const ACKNOWLEDGED_FIELDS: GoTypes[string] = Object.fromEntries(
  ACKNOWLEDGED_RULES.map(rule => [rule, 'list:string?']),
)

/** Checks the values of the fields. */
export function checkAcknowledged(fields: JsonObject, check: Pick<DeclarationCheck, 'is'>): void {
  for (const rule of ACKNOWLEDGED_RULES) {
    const texts = asTexts(fields[rule])
    texts.forEach((text, place) => {
      const path = ['acknowledged', rule, place]
      const [isValid, form] =
        rule === 'held-back'
          ? [isVersion(text), 'the newest version of a package: REPOSITORY:TAG']
          : [isRequirement(text), 'a requirement: RESOURCE.GROUP[/VERSION] or *.GROUP[/VERSION]']
      check.is(path, isValid, `${quoted(text)} is not ${form}`)
      const first = texts.indexOf(text)
      check.is(path, first === place, `is the same as acknowledged.${rule}[${first}]`)
    })
  }
}

function isVersion(text: string): boolean {
  const name = parseImageName(text)
  return name?.tag !== undefined && name.digest === undefined
}

function isRequirement(text: string): boolean {
  const [name = ''] = text.split('/')
  return isCrdName(text) || (name.startsWith('*.') && isGroupPattern(name) && text.split('/').length <= 2)
}

/** Returns the fields as they were written. */
export function acknowledgedIn(value: JsonObject): Acknowledged {
  return Object.fromEntries(
    ACKNOWLEDGED_RULES.flatMap(rule => {
      const texts = asTexts(asObject(value)[rule])
      return texts.length === 0 ? [] : [[rule, texts]]
    }),
  )
}
