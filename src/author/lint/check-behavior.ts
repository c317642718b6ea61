import type {Diagnostic} from '../../diagnostic.js'
import {originalController} from '../../render/original-controller.js'
import {ERAS} from '../../render/era.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import {asText} from '../../yaml/json-value.js'
import type {Candidate} from './candidate.js'
import {fieldSchema, versionSchema} from './schema-fields.js'
import {type WatchedCrd, watchedCrd} from './watched-crd.js'

/** Checks what a behavior requires of the controller that runs it, and of the CRD of its kind. */
export function checkBehavior(candidate: Candidate): Diagnostic[] {
  const watched = watchedCrd(candidate)
  return [...checkController(candidate), ...(watched === undefined ? [] : checkWatchedCrd(watched))]
}

/** The releases of the original controller that read the group of the Packages era. */
const PACKAGES_RELEASE = /^v?(?:0\.(?:[4-9]|\d\d)|[1-9])/

function checkController({behavior}: Candidate): Diagnostic[] {
  if (behavior?.value.controllerImage === undefined) return []
  const {document, value} = behavior
  const text = value.controllerImage ?? ''
  const original = originalController(text)
  if (original === undefined) return []
  const path = ['engine', 'controllerImage']
  if (asText(value.engine.type) === 'gotemplate') {
    const message = `${text} does not support the engine gotemplate`
    return [diagnosticAt(document, 'controller-image-engine', path, message)]
  }
  if (original.tag === undefined || PACKAGES_RELEASE.test(original.tag)) return []
  const message = `${text} only reads ${ERAS.stacks.group}, so it ends at once where packages are ${ERAS.packages.group}`
  return [diagnosticAt(document, 'controller-image-era', path, message)]
}

function checkWatchedCrd({crd, version}: WatchedCrd): Diagnostic[] {
  const {document, definition} = crd
  const {kind} = definition
  const diagnostics: Diagnostic[] = []
  if (!definition.subresources.status) {
    const message = `${kind} has no status subresource, so each status of the controller also counts as a change of the spec`
    diagnostics.push(diagnosticAt(document, 'crd-status-subresource', ['spec'], message))
  }
  const schema = versionSchema(crd, version)
  if (schema !== undefined && fieldSchema(schema, ['status', 'conditions']) === 'none') {
    const message = `the schema of ${kind} has no status.conditions, so an API server drops the conditions of the controller`
    diagnostics.push(diagnosticAt(document, 'crd-conditions', ['spec'], message))
  }
  return diagnostics
}
