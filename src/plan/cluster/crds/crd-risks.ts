import type {Diagnostic} from '../../../diagnostic.js'
import {count, escaped, listSome} from '../../../text.js'
import {type CrdChange, instanceCheck} from './crd-change.js'
import {objectName, SHOWN, someOf, versionsText} from './crd-texts.js'
import {effectsHash, usageRisks} from './crd-usage.js'
import type {InstanceSurvey} from '../state/instance-survey.js'

/**
 * Returns the risks of an accepted change of a CRD: for clients of the versions that are lost, for fields of instances,
 * and by rules that are not checked. `instances` is undefined if they cannot be listed.
 */
export function crdRisks(
  name: string,
  change: CrdChange,
  lost: readonly string[],
  instances: InstanceSurvey | undefined,
): readonly Diagnostic[] {
  return [...unserved(name, lost), ...instanceRisks(name, change, instances)]
}

function unserved(name: string, lost: readonly string[]): readonly Diagnostic[] {
  if (lost.length === 0) return []
  return [
    risk(
      name,
      'crd-version-unserved',
      `clients that use ${versionsText(lost)} of ${escaped(name)} will fail`,
    ),
  ]
}

function instanceRisks(
  name: string,
  change: CrdChange,
  instances: InstanceSurvey | undefined,
): readonly Diagnostic[] {
  if (instances === undefined) {
    return [
      risk(
        name,
        'instances-not-checked',
        `the custom resources of ${escaped(name)} cannot be listed and are not checked`,
      ),
    ]
  }
  const {total, usage} = instances
  // The verdicts on instances name what is not evaluated.
  const unchecked = total === 0 || usage !== undefined ? [] : (instanceCheck(change)?.unchecked ?? [])
  return [
    ...(usage === undefined ? [] : usageRisks(name, usage)),
    ...pruned(name, instances),
    ...(unchecked.length === 0
      ? []
      : [
          risk(
            name,
            'instances-not-checked',
            `new rules of ${escaped(name)} are not checked for its ${count(total, 'custom resource')}: ${unchecked.join(', ')}`,
          ),
        ]),
  ]
}

function pruned(
  name: string,
  {pruned: {total, first}, prunedFields, lossHash}: InstanceSurvey,
): readonly Diagnostic[] {
  if (total === 0) return []
  const others = isExact(total, prunedFields) || lossHash === undefined ? '' : effectsHash({hash: lossHash})
  const fields = listSome(prunedFields, SHOWN)
  const text = `${count(total, 'custom resource')} of ${escaped(name)} will lose ${fields}: ${someOf(first, total)}${others}`
  return [risk(name, 'fields-pruned', text)]
}

/** Reports whether the fields and instances of a message tell which instance loses what: several of both do not. */
function isExact(total: number, fields: readonly string[]): boolean {
  const isNamed = total <= SHOWN && fields.length <= SHOWN && !fields.some(field => field.includes('[*]'))
  return isNamed && (total === 1 || fields.length === 1)
}

function risk(name: string, rule: string, message: string): Diagnostic {
  return {severity: 'warning', rule, message, subject: {object: objectName(name)}}
}
