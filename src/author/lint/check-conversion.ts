import {type ConvertOptions, convertCrd} from '../../crd/convert/convert-crd.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {SourceCrd} from '../../unpack/crds.js'
import {diagnosticAt, type SourceDocument} from '../../unpack/diagnostics.js'
import type {Candidate} from './candidate.js'
import {parsePath} from './field-path.js'

/** Whether an API server of today accepts the CRDs, those of v1beta1 once they are converted. */
export function checkConversion({examination}: Candidate): Diagnostic[] {
  return examination.crds.flatMap(crd => refusals(crd).map(fault => located(fault, crd.document)))
}

/** What has no structural form is told first, and what is wrong besides it only where it is let pass. */
function refusals({object}: SourceCrd): readonly Diagnostic[] {
  const attempt = (nonStructural: ConvertOptions['nonStructural']) => {
    try {
      convertCrd(object, {nonStructural})
      return []
    } catch (error) {
      if (error instanceof CrossplaneError && error.diagnostics.length > 0) return error.diagnostics
      throw error
    }
  }
  const first = attempt('refuse')
  const others = first.some(isNonStructural) ? attempt('preserve') : []
  return [...first, ...others]
}

function isNonStructural({rule}: Diagnostic): boolean {
  return rule === NON_STRUCTURAL
}

const NON_STRUCTURAL = 'non-structural'

function located({rule, message, field = ''}: Diagnostic, document: SourceDocument): Diagnostic {
  const id = rule === NON_STRUCTURAL ? rule : 'crd-refused'
  return {...diagnosticAt(document, id, parsePath(field), message), ...(field === '' ? {} : {field})}
}
