import {ownVersions} from '../../../crd/convert/convert-crd.js'
import {quoted} from '../../../text.js'
import {asObject, asText, type JsonObject} from '../../../yaml/json-value.js'
import {versionsText} from './crd-texts.js'

/** A change of a CRD that is not possible by an update. */
export interface BreakingChange {
  readonly rule: string
  readonly text: string
}

/**
 * Returns the changes from one `spec` of a CRD to another that are not possible while instances exist. Plural and group
 * are the name of a CRD: with others it is another CRD. @param versions - those that must stay. @param adjective - of
 * these versions, in the text.
 */
export function breakingChanges(
  before: JsonObject,
  after: JsonObject,
  versions: readonly string[],
  adjective: '' | 'stored ' = '',
): readonly BreakingChange[] {
  const [names, newNames] = [asObject(before.names), asObject(after.names)]
  const kept = new Set(ownVersions(after).map(({name}) => asText(name)))
  const removed = versions.filter(name => !kept.has(name))
  const text = `the package removes the ${adjective}${versionsText(removed)}`
  return [
    ...changed('crd-scope-changed', 'scope', before, after),
    ...changed('crd-names-changed', 'kind', names, newNames),
    ...(removed.length === 0 ? [] : [{rule: 'crd-version-removed', text}]),
  ]
}

function changed(
  rule: string,
  field: string,
  before: JsonObject,
  after: JsonObject,
): readonly BreakingChange[] {
  const [old, now] = [asText(before[field]), asText(after[field])]
  return old === now ? [] : [{rule, text: `the ${field} changes from ${quoted(old)} to ${quoted(now)}`}]
}
