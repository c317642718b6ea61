import {isJsonObject, type JsonValue} from 'kubectl-crossplane/plugin'

/** A map of texts, or the first entry that is not a text. */
export type TextMap =
  | {readonly texts: Readonly<Record<string, string>>; readonly problem?: undefined}
  | {readonly problem: string}

/** Reads labels or annotations; none for null. A value that is not a text is a problem. */
export function readTextMap(field: string, value: JsonValue | undefined): TextMap {
  if (value === undefined || value === null) return {texts: {}}
  if (!isJsonObject(value)) return {problem: `${field} is not a map`}
  const wrong = Object.entries(value).find(([, text]) => typeof text !== 'string')
  if (wrong !== undefined) return {problem: `${field}[${wrong[0]}] is not a text; put it in quotes`}
  return {texts: value as Readonly<Record<string, string>>}
}
