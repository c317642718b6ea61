import {objectText} from '../../../kubernetes/object-key.js'
import {escaped, listNames, plural} from '../../../text.js'

/** A CRD in messages. */
export function objectName(name: string): string {
  return objectText({kind: 'CustomResourceDefinition', name: escaped(name)})
}

/** Names of versions in messages. */
export function versionsText(names: readonly string[]): string {
  return `${plural(names.length, 'version')} ${listNames(names)}`
}

/** The maximum number of instances or fields in a message. */
export const SHOWN = 5

/** The first of texts that are escaped already, and the number of the others. */
export function someOf(first: readonly string[], total: number): string {
  const shown = first.slice(0, SHOWN)
  return total > shown.length ? `${shown.join(', ')} and ${total - shown.length} more` : shown.join(', ')
}
