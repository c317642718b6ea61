import type {Diagnostic} from '../../diagnostic.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import type {Candidate} from './candidate.js'

/** Checks that the init container of a template stack can copy the templates out of the image of the package. */
export function checkTemplateImage({behavior, image}: Candidate): Diagnostic[] {
  if (behavior === undefined || image === undefined || behavior.value.source.image !== undefined) return []
  const {document} = behavior
  const problems: Diagnostic[] = []
  if (!image.hasCopy) {
    const message = 'the image has no cp, which the init container runs to copy the templates'
    problems.push(diagnosticAt(document, 'template-image-copy', ['source'], message))
  }
  if (!/^[1-9]\d*(?::|$)/.test(image.user)) {
    const user = image.user === '' ? 'root' : image.user
    const message = `the user of the image is ${user}: a container that must not run as root needs a number other than 0`
    problems.push(diagnosticAt(document, 'template-image-user', ['source'], message))
  }
  return problems
}
