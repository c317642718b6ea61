import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {ANNOTATION_BUDGET, annotationBytes, installedCrd} from '../../render/crds.js'
import {ERAS} from '../../render/era.js'
import {metadataOf} from '../../unpack/crd-metadata.js'
import type {SourceCrd} from '../../unpack/crds.js'
import {displayPath} from '../../unpack/package-file.js'
import type {Candidate} from './candidate.js'

/** The share of what Kubernetes allows from which an author should hear of it: the next icon may be the one too many. */
const WARNING_SHARE = 0.8

/** How much of what Kubernetes allows the annotations of installed CRDs take. */
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
    const message = `the annotations of ${definition.name} take ${size} bytes, ${share} % of what Kubernetes allows`
    return [{severity: 'warning', rule: 'annotations-large', message, file}]
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.diagnostics.length === 0) throw error
    return [...error.diagnostics]
  }
}
