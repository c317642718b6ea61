import {API_VERSION} from '../../api-version.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {count, quoted} from '../../text.js'
import {
  diagnosticAt,
  type DiagnosticCollector,
  documentsIn,
  readPart,
  type SourceDocument,
} from '../../unpack/diagnostics.js'
import type {GoTypes} from '../../unpack/go/go-types.js'
import {asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import {asError} from '../as-error.js'
import {DeclarationCheck} from '../declaration-check.js'
import {otherKind} from '../other-kind.js'

/** The tests of a policy. */
export interface PolicyTest {
  /** The file of the policy, relative to that of the tests. */
  readonly policy: string
  readonly cases: readonly PolicyCase[]
}

/** A package, and whether a policy allows it. */
export interface PolicyCase {
  readonly name: string
  readonly line: number
  readonly input: PolicyInput
  readonly expect: 'allowed' | 'denied'
  /** The IDs of the rules that reject it, if they are named. */
  readonly rules?: readonly string[]
}

/** A package to read, or a folder with variables. */
export type PolicyInput =
  | {readonly kind: 'package'; readonly reference: string; readonly asPackage?: string}
  | {readonly kind: 'folder'; readonly folder: string}

const KIND = 'PolicyTest'
const TYPES: GoTypes = {
  PolicyTest: {apiVersion: 'string?', kind: 'string?', policy: 'string?', cases: 'list:Case*'},
  Case: {
    ...{name: 'string*', package: 'string*', asPackage: 'string*', folder: 'string*'},
    ...{expect: 'string*', rules: 'list:string*'},
  },
}

/** Reads a file of tests. Throws `input-invalid` with all errors, by file and line. */
export function readPolicyTest(name: string, bytes: Uint8Array): PolicyTest {
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  const [document] = documentsIn(name, bytes, collector)
  if (document === undefined && collector.errors.length === 0) {
    const message = 'the file is empty'
    collector.errors.push({severity: 'error', rule: 'policy-test-empty', message, file: name})
  }
  const other = otherKind(document?.yaml.value, KIND)
  if (document !== undefined && other !== undefined)
    collector.errors.push(diagnosticAt(document, 'policy-test-value', ['kind'], other))
  else if (document !== undefined) {
    const test = readDocument(document, collector)
    if (collector.errors.length + collector.warnings.length === 0) return test
  }
  const diagnostics = [...collector.errors, ...collector.warnings.map(asError)]
  throw new CrossplaneError('input-invalid', `cannot read ${name}: ${count(diagnostics.length, 'error')}`, {
    diagnostics,
    suggestions: [
      other === undefined
        ? 'Correct the listed lines; policy and cases are the fields of a PolicyTest.'
        : 'Pass the path of a PolicyTest.',
    ],
  })
}

function readDocument(document: SourceDocument, collector: DiagnosticCollector): PolicyTest {
  const as = {type: KIND, types: TYPES, scalars: 'strict', isClosed: true} as const
  const part = readPart(document, [], document.yaml.value, as, collector)
  const {fields} = part
  const check = new DeclarationCheck(document, part, collector, 'policy-test-value')
  check.is(['apiVersion'], asText(fields.apiVersion) === API_VERSION, `must be ${API_VERSION}`)
  check.is(['kind'], asText(fields.kind) === KIND, `must be ${KIND}`)
  check.is(['policy'], asText(fields.policy) !== '', 'must name the file of the policy')
  const all = asObjects(fields.cases)
  check.is(['cases'], all.length > 0, 'must list cases')
  all.forEach((own, index) => {
    checkCase(own, index, check)
  })
  const cases = all.map((own, index) => policyCase(own, document.yaml.lineOf(['cases', index])))
  return {policy: asText(fields.policy), cases}
}

function checkCase(own: JsonObject, index: number, check: DeclarationCheck): void {
  const path = ['cases', index]
  check.is([...path, 'name'], asText(own['name']) !== '', 'must name the case')
  const isOne = (own['package'] === undefined) !== (own['folder'] === undefined)
  check.is(path, isOne, 'must name either a package or a folder with variables')
  const expected = asText(own['expect'])
  const isKnown = ['allowed', 'denied'].includes(expected)
  check.is([...path, 'expect'], isKnown, `${quoted(expected)} is not one of allowed or denied`)
  const isDenied = own['rules'] === undefined || expected === 'denied'
  check.is([...path, 'rules'], isDenied, 'has no effect without expect: denied')
}

function policyCase(own: JsonObject, line: number): PolicyCase {
  const folder = asText(own['folder'])
  const asPackage = asText(own['asPackage'])
  return {
    name: asText(own['name']),
    line,
    input:
      folder === ''
        ? {
            kind: 'package',
            reference: asText(own['package']),
            ...present({asPackage: asPackage === '' ? undefined : asPackage}),
          }
        : {kind: 'folder', folder},
    expect: own['expect'] === 'denied' ? 'denied' : 'allowed',
    ...present({rules: own['rules'] === undefined ? undefined : asTexts(own['rules'])}),
  }
}
