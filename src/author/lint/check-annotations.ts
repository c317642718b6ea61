import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {ANNOTATION_BUDGET, annotationBytes, installedCrd} from '../../render/crds.js'
import {ERAS} from '../../render/era.js'
import {metadataOf} from '../../unpack/crd-metadata.js'
import type {SourceCrd} from '../../unpack/crds.js'
import {displayPath} from '../../unpack/package-file.js'
import type {Candidate} from './candidate.js'

/** The share of the limit from which authors are warned. */
const WARNING_SHARE = 0.8

/** Compares the annotations of installed CRDs with the limit of Kubernetes. */
export function checkAnnotations(candidate: Candidate): Diagnostic[] {
  return candidate.examination.crds.flatMap(crd => checkInstalled(crd, candidate))
}

function checkInstalled(crd: SourceCrd, {app, examination}: Candidate): Diagnostic[] {
  if (app === undefined) return []
  const file = displayPath(crd.file)
  const {object, definition} = crd
  const metadata = metadataOf(crd, examination.metadata)
  try {
    const installed = installedCrd(ERAS.packages, app.value, {file, object, definition, metadata})
    const size = annotationBytes(installed.metadata.annotations ?? {})
    if (size < ANNOTATION_BUDGET * WARNING_SHARE) return []
    const share = Math.floor((100 * size) / ANNOTATION_BUDGET)
    const message = `the annotations of ${definition.name} have ${size} bytes, ${share} % of the limit of Kubernetes`
    return [{severity: 'warning', rule: 'annotations-large', message, file}]
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.diagnostics.length === 0) throw error
    return [...error.diagnostics]
  }
}
