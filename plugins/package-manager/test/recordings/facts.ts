import {asTexts, jsonEqual, type JsonValue} from 'kubectl-crossplane/plugin'

/** Something that the recording says of the original manager, and what is true after the same steps here. */
export interface Fact {
  readonly name: string
  readonly original: JsonValue
  readonly here: JsonValue
  /** Where both differ: a rule of the table in docs/package-manager-differences.md, and what it is here. */
  readonly differs?: {readonly rule: string; readonly want: RegExp}
}

/** The words of the original for the reasons that both have. */
const REASONS: Readonly<Record<string, string>> = {
  'Resource is available for use': 'Available',
  'Resource is being created': 'Creating',
  'Successfully reconciled resource': 'ReconcileSuccess',
  'Encountered an error during resource reconciliation': 'ReconcileError',
}

/** A recorded condition as `STATUS REASON`. */
export function recordedState(conditions: JsonValue | undefined, type: 'Ready' | 'Synced'): string {
  const text = asTexts(conditions).find(each => each.startsWith(`${type}=`)) ?? ''
  const [, status = '', reason = ''] = /=(\w+): ([^—]+)/.exec(text) ?? []
  return `${status} ${REASONS[reason.trim()] ?? reason.trim()}`
}

/** A fact that is the same for both. */
export function same(name: string, original: JsonValue | undefined, here: JsonValue | undefined): Fact {
  return {name, original: original ?? null, here: here ?? null}
}

/** A fact that differs, by a rule. */
export function differs(
  rule: string,
  name: string,
  [original, here]: readonly [JsonValue | undefined, JsonValue | undefined],
  want: RegExp,
): Fact {
  return {...same(name, original, here), differs: {rule, want}}
}

/** Returns the facts that are not as they are expected. */
export function unexpected(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter(({original, here, differs: difference}) => {
    if (difference === undefined) return !jsonEqual(original, shortened(original, here))
    const text = typeof here === 'string' ? here : JSON.stringify(here)
    return jsonEqual(original, shortened(original, here)) || !difference.want.test(text)
  })
}

/** Recorded conditions have no message where they are compared. */
function shortened(original: JsonValue, here: JsonValue): JsonValue {
  if (typeof original !== 'string' || typeof here !== 'string') return here
  return /^(?:True|False) [A-Z]\w+$/.test(original) ? here.split(' ', 2).join(' ') : here
}
