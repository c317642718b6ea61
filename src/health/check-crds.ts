import {afterColon, conditionOf} from './readiness/conditions.js'
import {isCrd} from '../kubernetes/crd-kind.js'
import {groupOf, nameOf, objectKey, versionOf} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {ERAS} from '../render/era.js'
import {claimLabels} from '../render/labels.js'
import {escaped, listNames, quoted, shellWord} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, isJsonArray, type JsonObject} from '../yaml/json-value.js'
import {ageOf, REACTION} from './ages.js'
import {broken, progress} from './findings.js'
import type {Finding} from './health.js'
import type {HealthSnapshot} from './health-snapshot.js'
import {reinstall} from './reinstall.js'
import {describe} from './remedies.js'

/** Checks the CRDs that the inventory has or the record names, in their order. */
export function checkCrds(snapshot: HealthSnapshot): readonly Finding[] {
  const {inventory, record, crds, denials} = snapshot
  if (denials.has('crds')) return []
  const liveCrds = crds.map(({object}) => object)
  const names = (inventory?.objects ?? []).filter(isCrd)
  const byKey = new Map(liveCrds.map(crd => [objectKey(nameOf(crd)), crd]))
  const absent = names.filter(name => !byKey.has(objectKey(name)) && !denials.has(objectKey(name)))
  const kinds = recordedKinds(record).filter(
    kind => names.length === 0 && crdOf(kind, liveCrds) === undefined,
  )
  return [
    ...absent.map(name => missing(name, snapshot)),
    ...kinds.map(({kind, apiVersion}) => missingKind(`${kind} of ${apiVersion}`, snapshot)),
    ...liveCrds.flatMap(crd => crdFindings(crd, snapshot)),
  ]
}

/** A kind as a record names it. */
interface RecordedKind {
  readonly apiVersion: string
  readonly kind: string
}

/** The kinds of the CRDs that a record names. */
export function recordedKinds(record: KubernetesObject | undefined): readonly RecordedKind[] {
  return asObjects(asObject(record?.spec).customresourcedefinitions).map(({apiVersion, kind}) => ({
    apiVersion: asText(apiVersion),
    kind: asText(kind),
  }))
}

function crdOf(
  {apiVersion, kind}: RecordedKind,
  crds: readonly KubernetesObject[],
): KubernetesObject | undefined {
  return crds.find(({spec}) => isOfKind(asObject(spec), apiVersion, kind))
}

/** Reports whether a CRD defines a kind, in any version. */
export function isOfKind({group, names}: JsonObject, apiVersion: string, kind: string): boolean {
  return group === groupOf(apiVersion) && asObject(names).kind === kind
}

function missing({apiVersion, kind, name}: ObjectName, snapshot: HealthSnapshot): Finding {
  const message = `CustomResourceDefinition ${escaped(name)} does not exist`
  return broken('crd-missing', {object: {apiVersion, kind, name}, message, suggestion: reinstall(snapshot)})
}

function missingKind(kind: string, snapshot: HealthSnapshot): Finding {
  const message = `the CRD of ${escaped(kind)} does not exist`
  return broken('crd-missing', {message, suggestion: reinstall(snapshot)})
}

/** The first problem of a CRD. */
function crdFindings(crd: KubernetesObject, snapshot: HealthSnapshot): Finding[] {
  const finding =
    servingFinding(crd, snapshot.now) ?? claimFinding(crd, snapshot) ?? versionFinding(crd, snapshot)
  return finding === undefined ? [] : [finding]
}

function servingFinding(crd: KubernetesObject, now: number): Finding | undefined {
  if (crd.metadata.deletionTimestamp !== undefined) return deletionFinding(crd)
  const object = nameOf(crd)
  const text = `CustomResourceDefinition ${escaped(object.name)}`
  const accepted = conditionOf(crd, 'NamesAccepted')
  if (accepted?.status === 'False') {
    const message = `the names of ${text} are not accepted${afterColon(accepted.message)}`
    return broken('crd-names-conflict', {object, message, suggestion: describe(object)})
  }
  const established = conditionOf(crd, 'Established')
  if (established?.status === 'True') return undefined
  if (isEstablishing(crd, now)) {
    return progress('crds', {object, message: `${text} is not established yet`})
  }
  const message = `${text} is not established${afterColon(established?.message)}`
  return broken('crd-not-established', {object, message, suggestion: describe(object)})
}

/** The API server takes a moment to serve a new CRD. */
function isEstablishing(crd: KubernetesObject, now: number): boolean {
  const established = conditionOf(crd, 'Established')
  const since = established?.lastTransitionTime ?? crd.metadata.creationTimestamp
  const isNew = established === undefined || established.reason === 'Installing'
  return isNew && ageOf(since, now) < REACTION
}

function deletionFinding(crd: KubernetesObject): Finding {
  const object = nameOf(crd)
  const {finalizers} = crd.metadata
  const names = isJsonArray(finalizers) ? listNames(finalizers.map(asText)) : ''
  const kept = names === '' ? '' : `, and kept by ${names}`
  const why = afterColon(conditionOf(crd, 'Terminating')?.message)
  return broken('crd-terminating', {
    object,
    message: `CustomResourceDefinition ${escaped(object.name)} is being deleted${kept}${why}`,
    suggestion: `kubectl get ${shellWord(object.name)} --all-namespaces`,
  })
}

function claimFinding(crd: KubernetesObject, snapshot: HealthSnapshot): Finding | undefined {
  const {era, install} = snapshot
  const labels = crd.metadata.labels ?? {}
  const absent = Object.keys(claimLabels(ERAS[era], install)).filter(label => labels[label] !== 'true')
  if (absent.length === 0) return undefined
  const object = nameOf(crd)
  const message = `CustomResourceDefinition ${escaped(object.name)} is not claimed: no label ${listNames(absent)}`
  return broken('crd-unclaimed', {object, message, suggestion: reinstall(snapshot)})
}

function versionFinding(crd: KubernetesObject, snapshot: HealthSnapshot): Finding | undefined {
  const spec = asObject(crd.spec)
  const versions = asObjects(spec.versions)
  const served = versions.filter(version => version.served === true).map(({name}) => asText(name))
  const absent = recordedKinds(snapshot.record)
    .filter(({apiVersion, kind}) => isOfKind(spec, apiVersion, kind))
    .map(({apiVersion}) => versionOf(apiVersion))
    .find(version => !served.includes(version))
  if (absent === undefined) return undefined
  const object = nameOf(crd)
  const message = `CustomResourceDefinition ${escaped(object.name)} does not serve ${quoted(absent)}, which the record names`
  return broken('crd-version-unserved', {object, message, suggestion: reinstall(snapshot)})
}
