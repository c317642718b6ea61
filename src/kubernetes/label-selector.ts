import {CrossplaneError} from '../errors.js'
import {quoted} from '../text.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../yaml/json-value.js'

/** A condition on labels, as `-l` of kubectl has them. */
export type LabelRequirement =
  | {readonly kind: 'in' | 'not-in'; readonly label: string; readonly values: readonly string[]}
  | {readonly kind: 'exists' | 'absent'; readonly label: string}

const NAME = String.raw`[\w.-]+(?:/[\w.-]+)?`
const VALUE = String.raw`[\w.-]*`

/**
 * Reads a selector: `a=b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, separated by commas. Throws `usage`.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  const parts = text.trim() === '' ? [] : text.split(/,(?![^(]*\))/)
  return parts.map(part => requirementIn(part.trim()) ?? invalid(text))
}

function requirementIn(text: string): LabelRequirement | undefined {
  return existence(text) ?? equality(text) ?? membership(text)
}

function existence(text: string): LabelRequirement | undefined {
  const [, not, label] = new RegExp(`^(!?) *(${NAME})$`).exec(text) ?? []
  return label === undefined ? undefined : {kind: not === '!' ? 'absent' : 'exists', label}
}

function equality(text: string): LabelRequirement | undefined {
  const [, label, operator, value] = new RegExp(`^(${NAME}) *(!=|==?) *(${VALUE})$`).exec(text) ?? []
  if (label === undefined || value === undefined) return undefined
  return {kind: operator === '!=' ? 'not-in' : 'in', label, values: [value]}
}

function membership(text: string): LabelRequirement | undefined {
  const [, label, word, list] = new RegExp(`^(${NAME}) +(in|notin) *\\(([^()]*)\\)$`).exec(text) ?? []
  if (label === undefined || list === undefined) return undefined
  const values = list.split(',').map(value => value.trim())
  if (!values.every(value => new RegExp(`^${VALUE}$`).test(value))) return undefined
  return {kind: word === 'in' ? 'in' : 'not-in', label, values}
}

function invalid(text: string): never {
  throw new CrossplaneError('usage', `invalid --selector ${quoted(text)}`, {
    suggestions: ['Write it as kubectl does, such as --selector tier=control or --selector "tier in (a,b)".'],
  })
}

const OPERATORS: Readonly<Record<string, (label: string, values: string) => string>> = {
  In: (label, values) => `${label} in (${values})`,
  NotIn: (label, values) => `${label} notin (${values})`,
  Exists: label => label,
  DoesNotExist: label => `!${label}`,
}

/** Writes the selector of an object, such as that of a Deployment, as a text. */
export function labelSelectorText({matchLabels, matchExpressions}: JsonObject): string {
  const labels = Object.entries(asObject(matchLabels)).map(([name, value]) => `${name}=${asText(value)}`)
  const expressions = asObjects(matchExpressions).flatMap(({key, operator, values}) => {
    const write = OPERATORS[asText(operator)]
    return write === undefined ? [] : [write(asText(key), asTexts(values).join(','))]
  })
  return [...labels, ...expressions].join(',')
}

/** Reports whether labels fulfill all requirements; without a label, `!=` and `notin` are fulfilled. */
export function matchesSelector(
  labels: Readonly<Record<string, string>>,
  requirements: readonly LabelRequirement[],
): boolean {
  return requirements.every(requirement => {
    const value = labels[requirement.label]
    switch (requirement.kind) {
      case 'exists':
        return value !== undefined
      case 'absent':
        return value === undefined
      case 'in':
        return value !== undefined && requirement.values.includes(value)
      case 'not-in':
        return value === undefined || !requirement.values.includes(value)
    }
  })
}
