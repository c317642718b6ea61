import {present} from '../present.js'
import {afterColon, conditionOf} from './readiness/conditions.js'
import {nameOf, objectKey, objectText} from '../kubernetes/object-key.js'
import {eraOf, ERAS} from '../render/era.js'
import {parentIdLabels} from '../render/labels.js'
import {escaped, listNames, shellWord} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {isJsonArray, asText} from '../yaml/json-value.js'
import {ageOf} from './ages.js'
import type {BreakId, Link} from './break-kinds.js'
import {broken, progress} from './findings.js'
import type {Break, Finding} from './health.js'
import type {HealthSnapshot} from './health-snapshot.js'
import {reinstall} from './reinstall.js'
import {describe, placed} from './remedies.js'

/** Checks the first links of an install: its namespace, its inventory or request, and its record. */
export function checkInstall(snapshot: HealthSnapshot): readonly Finding[] {
  return [...namespaceFindings(snapshot), ...inventoryFindings(snapshot), ...recordFindings(snapshot)]
}

function namespaceFindings({namespace}: HealthSnapshot): Finding[] {
  if (namespace?.metadata.deletionTimestamp === undefined) return []
  const name = nameOf(namespace)
  const message = `namespace ${escaped(name.name)} is being deleted`
  return [broken('namespace-terminating', {object: name, message, suggestion: describe(name)})]
}

function inventoryFindings(snapshot: HealthSnapshot): Finding[] {
  const {inventory, ignored, unreadable, isBeingChanged, install, denials} = snapshot
  if (unreadable !== undefined) {
    const {configMap, message} = unreadable
    const suggestion = `kubectl get configmap ${placed({...install, name: configMap})} --output yaml`
    return [broken('inventory-unreadable', {message, suggestion})]
  }
  if (ignored !== undefined) return ignoredFindings(ignored, snapshot)
  if (inventory?.phase !== 'changing') return []
  if (isBeingChanged) return [progress('install', {message: 'the install is being changed'})]
  if (denials.has('lease')) return []
  const message = 'the last change of the install was interrupted'
  return [broken('install-interrupted', {message, suggestion: reinstall(snapshot)})]
}

/** An install with a record is judged by that record. */
function ignoredFindings(
  {standing, configMap}: NonNullable<HealthSnapshot['ignored']>,
  {isBeingChanged, install, record, request}: HealthSnapshot,
): Finding[] {
  if (isBeingChanged) return [progress('install', {message: 'the install is being changed'})]
  const object = {apiVersion: 'v1', kind: 'ConfigMap', namespace: install.namespace, name: configMap}
  if (standing === 'forged') {
    const message = 'the inventory differs from its witness and is ignored: it was changed by another program'
    return [broken('inventory-forged', {object, message, suggestion: 'kubectl crossplane doctor'})]
  }
  if (standing === 'missing') {
    const message = 'the inventory is missing: another program deleted it'
    return [broken('inventory-missing', {object, message, suggestion: 'kubectl crossplane doctor'})]
  }
  if (record !== undefined || request !== undefined) return []
  const message =
    'the inventory has no witness and is ignored: the first install was interrupted, or another program wrote it'
  const suggestion = `Run the interrupted command again, or delete ${escaped(objectText(object))}.`
  return [broken('inventory-unwitnessed', {object, message, suggestion})]
}

function recordFindings(snapshot: HealthSnapshot): Finding[] {
  const {record, request, unreadable, ignored} = snapshot
  if (record !== undefined) {
    return [
      ...(request === undefined ? [] : terminating('request-terminating', request)),
      ...terminating('record-terminating', record),
      ...definitionFindings(snapshot),
    ]
  }
  if (unreadable !== undefined || snapshot.denials.has('record')) return []
  if (ignored?.standing === 'unwitnessed' && request === undefined) return []
  if (request !== undefined && snapshot.inventory === undefined) return requestFindings(request, snapshot)
  return [missingRecord(snapshot)]
}

/** The controller of a template stack reads its definition. */
function definitionFindings(snapshot: HealthSnapshot): Finding[] {
  const {inventory, live, denials} = snapshot
  const definitions = (inventory?.objects ?? []).filter(
    ({apiVersion, kind}) => eraOf(apiVersion)?.kinds.definition === kind,
  )
  return definitions
    .filter(object => !live.has(objectKey(object)) && !denials.has(objectKey(object)))
    .map(({apiVersion, kind, namespace, name}) => {
      const object = {apiVersion, kind, ...present({namespace}), name}
      const message = `${escaped(objectText(object))} does not exist`
      return broken('record-missing', {object, message, suggestion: reinstall(snapshot)})
    })
}

function missingRecord(snapshot: HealthSnapshot): Break {
  const {era, install, servesRecords, inventory, request} = snapshot
  const {apiVersion, kinds} = ERAS[era]
  const object = {apiVersion, kind: kinds.record, ...install}
  const text = escaped(objectText(object))
  if (!servesRecords) {
    const message = `the cluster does not serve the kind of ${text}`
    const command = reinstall(snapshot)
    const base = snapshot.servesCore === true ? '--v0.12-base' : '--with-package-api'
    const suggestion = command.startsWith('kubectl') ? `${command} ${base}` : command
    return broken('record-api-missing', {object, message, suggestion})
  }
  const isKnown = inventory !== undefined || request !== undefined
  const suggestion = isKnown ? reinstall(snapshot) : leftovers(snapshot)
  return broken('record-missing', {object, message: `${text} does not exist`, suggestion})
}

/** The resources with the labels of an install. */
const LABELED = 'deployments,serviceaccounts,clusterroles,clusterrolebindings,rolebindings'

/**
 * Returns the command that removes an install of which only claims on CRDs are left, unless there are custom resources, or
 * that lists the objects with its labels.
 */
function leftovers({install, claim}: HealthSnapshot): string {
  if (claim !== undefined) {
    const {namespace, name} = install
    return `kubectl crossplane package uninstall ${shellWord(name)} --namespace ${shellWord(namespace)} --adopt`
  }
  const labels = Object.entries(parentIdLabels(install)).map(([name, value]) => `${name}=${value}`)
  return `kubectl get ${LABELED} --all-namespaces --selector ${shellWord(labels.join(','))}`
}

/** A request that an original package manager has to process. */
function requestFindings(request: KubernetesObject, snapshot: HealthSnapshot): Finding[] {
  const ending = terminating('request-terminating', request)
  if (ending.length > 0) return ending
  const {isManaged, job} = snapshot
  const object = nameOf(request)
  const text = escaped(objectText(object))
  const failed = job === undefined ? undefined : conditionOf(job, 'Failed')
  if (job !== undefined && failed?.status === 'True') {
    const jobName = nameOf(job)
    const suggestion = `kubectl logs job/${placed(jobName)} --all-containers`
    const message = `${escaped(objectText(jobName))}, which unpacks the package, failed${afterColon(failed.message)}`
    return [broken('install-job-failed', {object: jobName, message, suggestion})]
  }
  if (isManaged === true) return [managedRequest(request, snapshot)]
  if (isManaged === undefined) return []
  const message = `${text} has no package record, and no package manager runs`
  return [broken('request-unprocessed', {object, message, suggestion: reinstall(snapshot)})]
}

/** Milliseconds in which a package manager reads an image and creates the record. */
const PATIENCE = 10 * 60 * 1000

/** A request for which a package manager runs; whether the manager also works becomes visible with time. */
function managedRequest(request: KubernetesObject, {manager = '', job, now}: HealthSnapshot): Finding {
  const object = nameOf(request)
  const message = `the package manager has not processed ${escaped(objectText(object))} yet`
  if (ageOf(request.metadata.creationTimestamp, now) < PATIENCE) return progress('record', {object, message})
  const [namespace = '', name = ''] = manager.split('/')
  const suggestion =
    job === undefined
      ? `kubectl logs deployment/${placed({namespace, name})} --all-containers`
      : describe(nameOf(job))
  return broken('request-unprocessed', {object, message, suggestion})
}

/** The break of an object that is being deleted, with the finalizers that keep it. */
export function terminating(id: BreakId, object: KubernetesObject, link?: Link): Break[] {
  const {deletionTimestamp, finalizers} = object.metadata
  if (deletionTimestamp === undefined) return []
  const name = nameOf(object)
  const names = isJsonArray(finalizers) ? finalizers.map(asText) : []
  const kept = names.length === 0 ? '' : `, and kept by ${listNames(names)}`
  const message = `${escaped(objectText(name))} is being deleted${kept}`
  return [broken(id, {object: name, message, suggestion: describe(name), ...present({link})})]
}
