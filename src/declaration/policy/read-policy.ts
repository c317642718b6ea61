import {API_VERSION} from '../../api-version.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {isDnsLabel} from '../../reference/kubernetes-names.js'
import {count} from '../../text.js'
import {
  diagnosticAt,
  type DiagnosticCollector,
  documentsIn,
  readPart,
  type SourceDocument,
} from '../../unpack/diagnostics.js'
import type {GoTypes} from '../../unpack/go/go-types.js'
import {
  asObject,
  asText,
  asTexts,
  type FieldPath,
  isJsonObject,
  type JsonObject,
} from '../../yaml/json-value.js'
import {asError} from '../as-error.js'
import {DeclarationCheck} from '../declaration-check.js'
import {otherKind} from '../other-kind.js'
import {declaredRejects, declaredRules, RULE_TYPES} from './declared-rules.js'
import {declaredSignatures, SIGNATURE_TYPES} from './declared-signatures.js'
import type {Policy} from './policy.js'

/** The kind of policies. */
const POLICY_KIND = 'Policy'

/** Parts of the document that are added later are fields of their own; unknown fields are errors. */
const TYPES: GoTypes = {
  Policy: {
    apiVersion: 'string?',
    kind: 'string?',
    owners: 'map:string?',
    sources: 'list:string*',
    signatures: 'list:Signatures*',
    reject: 'Reject*',
    rules: 'list:Rule*',
    contact: 'string*',
    limits: 'Limits*',
    manager: 'Manager*',
  },
  Manager: {namespaces: 'list:string*', clusterNamespaces: 'list:string*'},
  ...SIGNATURE_TYPES,
  ...RULE_TYPES,
  Limits: {packages: 'integer*', solveTimeoutSeconds: 'integer*'},
}

/** Reads a policy. Throws `input-invalid` with all errors, by file and line. */
export function readPolicyFile(name: string, bytes: Uint8Array): Policy {
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  const [document, ...others] = documentsIn(name, bytes, collector)
  for (const other of others) {
    collector.errors.push(diagnosticAt(other, 'policy-documents', [], 'a policy must be a single document'))
  }
  if (document === undefined && collector.errors.length === 0) {
    collector.errors.push({severity: 'error', rule: 'policy-empty', message: 'the file is empty', file: name})
  }
  const policy = document === undefined ? undefined : readDocument(document, bytes, collector)
  const diagnostics = [...collector.errors, ...collector.warnings.map(asError)].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0),
  )
  if (policy !== undefined && diagnostics.length === 0) return policy
  const message = `cannot read the policy ${name}: ${count(diagnostics.length, 'error')}`
  throw new CrossplaneError('input-invalid', message, {
    diagnostics,
    suggestions: [
      otherKind(document?.yaml.value, POLICY_KIND) === undefined ? FIELDS : 'Pass the path of a Policy.',
    ],
  })
}

const FIELDS =
  'Correct the listed lines; owners, sources, signatures, reject, rules, contact, limits and manager are the fields of a policy.'

const AS = {type: 'Policy', types: TYPES, scalars: 'strict', isClosed: true} as const

function readDocument(
  document: SourceDocument,
  bytes: Uint8Array,
  collector: DiagnosticCollector,
): Policy | undefined {
  const {value} = document.yaml
  const other = otherKind(value, POLICY_KIND)
  if (other !== undefined) {
    collector.errors.push(diagnosticAt(document, 'policy-value', ['kind'], other))
    return undefined
  }
  const part = readPart(document, [], value, AS, collector)
  if (!isJsonObject(value)) return undefined
  const {fields} = part
  const checker = new DeclarationCheck(document, part, collector, 'policy-value')
  checker.is(['apiVersion'], asText(fields.apiVersion) === API_VERSION, `must be ${API_VERSION}`)
  checker.is(['kind'], asText(fields.kind) === POLICY_KIND, `must be ${POLICY_KIND}`)
  checker.owners(asObject(fields.owners))
  asTexts(fields.sources).forEach((source, index) => {
    checker.source(['sources', index], source)
  })
  const [limits, manager] = [asObject(fields.limits), asObject(fields.manager)]
  checkLimits(limits, checker)
  checkManager(manager, checker)
  const lineOf = (...path: FieldPath) => document.yaml.lineOf(path)
  const signatures = declaredSignatures(fields.signatures, checker, lineOf)
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/)
  const contact = asText(fields.contact)
  return {
    file: document.name,
    owners: Object.entries(asObject(fields.owners)).map(([group, owner]) => ({
      ...{group, package: asText(owner)},
      line: lineOf('owners', group),
    })),
    ...present({
      sources:
        fields.sources === undefined
          ? undefined
          : asTexts(fields.sources).map((prefix, index) => ({prefix, line: lineOf('sources', index)})),
      signatures: fields.signatures === undefined ? undefined : signatures,
      contact: contact === '' ? undefined : contact,
    }),
    reject: declaredRejects(fields.reject, checker, lineOf),
    rules: declaredRules(fields.rules, checker, {lines, lineOf}),
    manager: {
      namespaces: asTexts(manager.namespaces),
      clusterNamespaces: asTexts(manager.clusterNamespaces),
    },
    limits: present({
      packages:
        limits.packages === undefined
          ? undefined
          : {value: Number(limits.packages), line: lineOf('limits', 'packages')},
      solveTimeoutSeconds:
        limits.solveTimeoutSeconds === undefined ? undefined : Number(limits.solveTimeoutSeconds),
    }),
  }
}

function checkLimits(limits: JsonObject, checker: DeclarationCheck): void {
  for (const [limit, number] of Object.entries(limits)) {
    checker.is(['limits', limit], Number(number) > 0, 'must be at least 1')
  }
}

function checkManager(manager: JsonObject, checker: DeclarationCheck): void {
  for (const list of ['namespaces', 'clusterNamespaces'] as const) {
    asTexts(manager[list]).forEach((name, index) => {
      checker.is(['manager', list, index], isDnsLabel(name), 'is not a valid namespace name')
    })
  }
}
