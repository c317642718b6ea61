import {createHash} from 'node:crypto'
import type {ResourceKind} from '../../../cluster/api/cluster-api.js'
import {checkInstance} from '../../../crd/instances/check-instance.js'
import {escaped} from '../../../text.js'
import {type InstanceJudge, type InstanceUsage, NO_USAGE, withUsage} from './instance-usage.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {type FieldPath, formatPath, type JsonObject} from '../../../yaml/json-value.js'

/** The kind by which the instances of a CRD are read, and the schemas that they are checked against. */
export interface InstanceCheck {
  /** In a version that the cluster serves. */
  readonly kind: ResourceKind
  /** The new schemas of that version and, if objects are only renamed between versions, of the storage version. */
  readonly schemas: readonly JsonObject[]
  readonly isPruning: boolean
  /** The keywords of new rules that are not checked. */
  readonly unchecked: readonly string[]
  /** Judges the effects on an instance; absent where they are not judged. */
  readonly judgeUsage?: InstanceJudge | undefined
}

/** A number of objects of a CRD's kind. */
interface InstanceCount {
  readonly total: number
  /** The first of them, as NAMESPACE/NAME or NAME. */
  readonly first: readonly string[]
}

/** The effects of a change of a CRD on its instances. */
export interface InstanceSurvey extends InstanceCount {
  /** Instances that the new schema does not accept: the first as `NAME: FIELD: REASON`. */
  readonly rejected: InstanceCount
  /** Instances that lose fields. */
  readonly pruned: InstanceCount
  /** The first of the fields that are lost, such as `spec.items[*].size`. */
  readonly prunedFields: readonly string[]
  /** The hash of which instance loses which fields, also of those that are not kept; absent before the first. */
  readonly lossHash?: string
  /** Absent where effects are not judged. */
  readonly usage?: InstanceUsage
}

/** The maximum number of names to keep. */
const SHOWN = 20

/** The maximum number of lost fields to keep. */
export const MAX_FIELDS = 20

const NONE: InstanceCount = {total: 0, first: []}

/** The survey before the first instance. */
export const NO_INSTANCES: InstanceSurvey = {...NONE, rejected: NONE, pruned: NONE, prunedFields: []}

/** Counts an object. */
function counted({total, first}: InstanceCount, text: string): InstanceCount {
  return {total: total + 1, first: first.length < SHOWN ? [...first, text] : first}
}

/** The name of an instance in messages. */
function instanceName({metadata}: KubernetesObject): string {
  return escaped(metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`)
}

/** Adds one instance to a survey, which stays small whatever the number of instances. */
export function surveyed(
  survey: InstanceSurvey,
  object: KubernetesObject,
  check: InstanceCheck,
): InstanceSurvey {
  const name = instanceName(object)
  const verdicts = check.schemas.map(schema => checkInstance(object, schema))
  const [error] = verdicts.flatMap(({rejected}) => rejected)
  const pruned = check.isPruning ? verdicts.flatMap(verdict => verdict.pruned) : []
  return {
    ...survey,
    ...counted(survey, name),
    rejected:
      error === undefined ? survey.rejected : counted(survey.rejected, `${name}: ${reasonText(error)}`),
    ...(pruned.length > 0 && withLosses(survey, name, pruned)),
    ...(check.judgeUsage && {usage: withUsage(survey.usage ?? NO_USAGE, check.judgeUsage(object))}),
  }
}

/** Quotes in it are those of values. */
function reasonText({field, message}: {readonly field: string; readonly message: string}): string {
  return escaped(`${field}: ${message}`).replaceAll('\\"', '"')
}

function withLosses(
  {pruned, prunedFields, lossHash = ''}: InstanceSurvey,
  name: string,
  paths: readonly FieldPath[],
): Pick<InstanceSurvey, 'pruned' | 'prunedFields' | 'lossHash'> {
  const texts = paths.map(path => formatPath(path)).sort()
  return {
    pruned: counted(pruned, name),
    prunedFields: withFields(prunedFields, paths),
    lossHash: createHash('sha256')
      .update([lossHash, name, ...texts].join('\n'))
      .digest('hex'),
  }
}

function withFields(fields: readonly string[], pruned: readonly FieldPath[]): readonly string[] {
  if (fields.length >= MAX_FIELDS) return fields
  return [...new Set([...fields, ...pruned.map(fieldText)])].slice(0, MAX_FIELDS)
}

/** Items of one list have one text. */
function fieldText(path: FieldPath): string {
  return escaped(
    path.reduce<string>(
      (text, step) => joined(text, typeof step === 'number' ? '[*]' : formatPath([step])),
      '',
    ),
  )
}

function joined(text: string, step: string): string {
  return text === '' || step.startsWith('[') ? `${text}${step}` : `${text}.${step}`
}
