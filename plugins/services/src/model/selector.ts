import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type JsonObject,
  type JsonValue,
} from 'kubectl-crossplane/plugin'

/** Whether labels match a `LabelSelector` of Kubernetes: `matchLabels` and `matchExpressions`. */
export function matchesSelector(selector: JsonValue | undefined, labels: JsonObject): boolean {
  const {matchLabels, matchExpressions} = asObject(selector)
  const equal = Object.entries(asObject(matchLabels)).every(([key, value]) => labels[key] === value)
  return equal && asObjects(matchExpressions).every(expression => matches(expression, labels))
}

/** An operator that Kubernetes does not have matches nothing. */
function matches({key, operator, values}: JsonObject, labels: JsonObject): boolean {
  const label = Object.hasOwn(labels, asText(key)) ? labels[asText(key)] : undefined
  const isListed = label !== undefined && asTexts(values).includes(asText(label))
  switch (operator) {
    case 'In':
      return isListed
    case 'NotIn':
      return !isListed
    case 'Exists':
      return label !== undefined
    case 'DoesNotExist':
      return label === undefined
    default:
      return false
  }
}

/** Formats a selector as kubectl accepts it: `tier=gold,zone in (a,b)`. */
export function selectorText(selector: JsonValue | undefined): string {
  const {matchLabels, matchExpressions} = asObject(selector)
  const equal = Object.entries(asObject(matchLabels)).map(([key, value]) => `${key}=${asText(value)}`)
  return [...equal, ...asObjects(matchExpressions).map(expressionText)].join(',')
}

function expressionText({key, operator, values}: JsonObject): string {
  const list = `(${asTexts(values).join(',')})`
  switch (operator) {
    case 'In':
      return `${asText(key)} in ${list}`
    case 'NotIn':
      return `${asText(key)} notin ${list}`
    case 'Exists':
      return asText(key)
    case 'DoesNotExist':
      return `!${asText(key)}`
    default:
      return `${asText(key)} ${asText(operator)} ${list}`
  }
}
