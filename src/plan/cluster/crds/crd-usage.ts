import type {ResourceKind} from '../../../cluster/api/cluster-api.js'
import type {ObjectJudge} from '../../../crd/instances/check-object.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {CRD_KIND} from '../../../kubernetes/crd-kind.js'
import {count, escaped, plural, shellWord} from '../../../text.js'
import type {SurfacePackage} from '../../../usage/compare-sets.js'
import {type UsageFinding, usageJudge} from '../../../usage/objects/compare-usage.js'
import {effectTotals, impactLines} from '../../../usage/objects/impact-view.js'
import {VERDICTS} from '../../../usage/objects/verdict.js'
import {crdSurface} from '../../../usage/package-surface.js'
import {asObject, asText, type JsonObject} from '../../../yaml/json-value.js'
import type {ConnectionKeys, CrdChange} from './crd-change.js'
import {objectName, SHOWN} from './crd-texts.js'
import type {InstanceJudge, InstanceUsage} from '../state/instance-usage.js'

/**
 * Returns what judges the instances of a CRD that changes, which are read in a version that the cluster serves; undefined for a CRD
 * that keeps unknown fields.
 */
export function instanceJudge(
  {before, after, isPruning, connectionKeys}: CrdChange,
  {apiVersion, kind}: ResourceKind,
  judge: ObjectJudge,
): InstanceJudge | undefined {
  if (!isPruning) return undefined
  const source = connectionKeys?.source
  const old = packageOf(before, {source, connectionKeys: connectionKeys?.before})
  const now = packageOf(after, {source, connectionKeys: connectionKeys?.after})
  const judgeOne = usageJudge([old], [now], judge)
  return value => {
    const place = {file: CLUSTER, line: 0, lineOf: () => 0}
    const object = {apiVersion, kind, value: {...value, apiVersion, kind}, ...place, isLive: true}
    return judgeOne(object).findings
  }
}

const CLUSTER = 'the cluster'

/** A CRD as the only content of a package. */
function packageOf(
  spec: JsonObject,
  {
    source = 'crd',
    connectionKeys = [],
  }: {
    readonly source: ConnectionKeys['source'] | undefined
    readonly connectionKeys: readonly string[] | undefined
  },
): SurfacePackage {
  const name = `${asText(asObject(spec.names).plural)}.${asText(spec.group)}`
  const facts = {permission: [], image: [], capability: [], dependency: [], function: [], composition: []}
  const crds = [crdSurface({...CRD_KIND, metadata: {name}, spec}, source, {connectionKeys})]
  return {package: '', version: '', surface: {crds, facts, unread: []}}
}

/** Returns why a change of a CRD needs to be accepted; undefined for one without an effect that stops it. */
export function usageReason(
  name: string,
  {effects, totals, stopped}: InstanceUsage,
): Pick<Diagnostic, 'rule' | 'message' | 'suggestions'> | undefined {
  if (stopped === 0) return undefined
  const {breaks, lost, unserved} = effects
  // One instance is described by its effects.
  const numbers = effectTotals({...totals, meaning: 0, convert: 0})
  const all = stopped === 1 ? '' : ` (${numbers.join(', ')})`
  const first = effectsText([...breaks, ...lost, ...unserved])
  return {
    rule: USAGE_RULE,
    message: `${objectName(name)}: the change has effects on ${count(stopped, 'custom resource')}${all}: ${first}`,
    suggestions: [
      `kubectl get ${shellWord(name)} --all-namespaces`,
      'Pass --accept-impact to accept the effects on custom resources.',
    ],
  }
}

/**
 * Returns the effects that do not stop a change of a CRD, or that are accepted. The gate warns of lost fields, and of versions that are no
 * longer served.
 */
export function usageRisks(name: string, usage: InstanceUsage): readonly Diagnostic[] {
  const {effects, totals, broken} = usage
  const own = (total: number, text: string, findings: readonly UsageFinding[]): readonly Diagnostic[] => {
    if (total === 0) return []
    const subject = {object: objectName(name)}
    const message = `${count(total, 'custom resource')} of ${escaped(name)} ${plural(total, 'is', 'are')} ${text}: ${effectsText(findings, usage)}`
    return [{severity: 'warning', rule: USAGE_RULE, message, subject}]
  }
  return [
    ...own(broken.total, 'rejected if written again, which is accepted', broken.effects),
    ...own(totals.meaning, 'treated in another way', effects.meaning),
    ...own(totals.convert, 'converted by a webhook', effects.convert),
    ...own(totals.unread, 'not judged', effects.unread),
  ]
}

/** Stands for effects that are not named, so that a plan is outdated by any other effect. */
export function effectsHash({hash}: Pick<InstanceUsage, 'hash'>): string {
  return ` (all effects: sha256:${hash.slice(0, 12)})`
}

const USAGE_RULE = 'usage-impact'

/** The first effects, by instance and field, with each verdict at least once. */
function effectsText(findings: readonly UsageFinding[], usage?: InstanceUsage): string {
  const lines = impactLines(findings)
  const heads = VERDICTS.flatMap(verdict => lines.find(({verdicts}) => verdicts.includes(verdict)) ?? [])
  const first = new Set([...new Set([...heads, ...lines])].slice(0, SHOWN))
  const shown = lines
    .filter(line => first.has(line))
    .map(({field, verdicts, message}) => escaped(`${field}: ${verdicts.join(', ')}: ${message}`))
  const text = shown.join('; ').replaceAll('\\"', '"')
  return lines.length > shown.length ? `${text}; and more${usage ? effectsHash(usage) : ''}` : text
}
