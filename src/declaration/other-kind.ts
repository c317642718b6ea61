import {API_VERSION} from '../api-version.js'
import {quoted} from '../text.js'
import {asText, isJsonObject, type JsonValue} from '../yaml/json-value.js'

/** The kinds of files that this program reads. */
const KINDS: ReadonlySet<string> = new Set(['PackageDeclaration', 'PackageLock', 'Policy', 'PolicyTest'])

/** States that a document is of another kind, in which case each of its fields would be an error; undefined if it is not. */
export function otherKind(value: JsonValue | undefined, kind: string): string | undefined {
  if (!isJsonObject(value)) return undefined
  const [apiVersion, own] = [asText(value.apiVersion), asText(value.kind)]
  if (apiVersion === '' || own === '' || own === kind) return undefined
  // With the right apiVersion, an unknown kind is rather misspelled.
  if (apiVersion === API_VERSION && !KINDS.has(own)) return undefined
  return `it is a ${quoted(own)} of ${quoted(apiVersion)}, not a ${kind} of ${API_VERSION}`
}
