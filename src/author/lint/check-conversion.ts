import {type ConvertOptions, convertCrd} from '../../crd/convert/convert-crd.js'
import type {SchemaRules} from '../../crd/schema-rules.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {SourceCrd} from '../../unpack/crds.js'
import {diagnosticAt, type SourceDocument} from '../../unpack/diagnostics.js'
import {parsePath} from '../../yaml/parse-path.js'
import type {Candidate} from './candidate.js'

/** Reports CRDs that a current API server rejects; v1beta1 CRDs are converted first. */
export function checkConversion({examination, rules}: Candidate): Diagnostic[] {
  return examination.crds.flatMap(crd =>
    rejections(crd, rules).map(diagnostic => located(diagnostic, crd.document)),
  )
}

/** Schemas without a structural form hide other problems, which are found by accepting those schemas. */
function rejections({object}: SourceCrd, rules: SchemaRules | undefined): readonly Diagnostic[] {
  const attempt = (nonStructural: ConvertOptions['nonStructural']) => {
    try {
      convertCrd(object, {nonStructural, rules})
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
