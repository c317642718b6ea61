import type {Diagnostic} from '../../diagnostic.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import {asObject, asText, formatPath} from '../../yaml/json-value.js'
import {controllerDeployment} from '../../render/deployment.js'
import {ERAS} from '../../render/era.js'
import type {Candidate} from './candidate.js'
import {checkDeployment} from './server/check-deployment.js'

/** Checks install.yaml and behavior.yaml, except images. */
export function checkRuntime(candidate: Candidate): Diagnostic[] {
  return [...checkDeploymentVersion(candidate), ...checkSent(candidate), ...checkBehaviorCrd(candidate)]
}

function checkDeploymentVersion({controller}: Candidate): Diagnostic[] {
  if (controller === undefined) return []
  const {document} = controller
  const apiVersion = asText(asObject(document.yaml.value).apiVersion)
  if (apiVersion === 'apps/v1') return []
  const versionText = apiVersion === '' ? 'no apiVersion' : `the apiVersion ${apiVersion}`
  const message = `the Deployment has ${versionText} and is read as apps/v1`
  return [diagnosticAt(document, 'install-api-version', ['apiVersion'], message)]
}

/** What stands for the install whose Deployment is checked. */
const INSTALL = {namespace: 'package', name: 'package'}

/** The Deployment is checked as a default install sends it. */
function checkSent({controller}: Candidate): Diagnostic[] {
  if (controller === undefined) return []
  const {document, value} = controller
  const sent = controllerDeployment(ERAS.packages, INSTALL, value, {allowFullDeployment: false})
  return checkDeployment(sent).map(({place, message}) =>
    diagnosticAt(document, 'install-refused', place, `${formatPath(place)}: ${message}`),
  )
}

function checkBehaviorCrd({behavior, crds, knowsAllCrds}: Candidate): Diagnostic[] {
  if (behavior === undefined || !knowsAllCrds) return []
  const {document} = behavior
  const {apiVersion, kind} = behavior.value.crd
  const isOwned = crds.some(
    ({definition}) =>
      definition.kind === kind &&
      definition.versions.some(version => `${definition.group}/${version}` === apiVersion),
  )
  if (isOwned) return []
  const message = `no CRD of the package defines ${kind} (${apiVersion}), which the behavior names`
  return [diagnosticAt(document, 'behavior-crd', ['crd'], message)]
}
