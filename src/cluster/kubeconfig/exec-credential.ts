import {CrossplaneError} from '../../errors.js'
import {isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import type {Credentials} from './credentials.js'
import {FieldReader} from './field-reader.js'
import {headerText, isHeaderText} from './header-text.js'
import {keyPairProblem} from './pem.js'

/** The credentials that an exec plugin printed, or why they cannot be used; no message quotes the output. */
export type ExecAnswer =
  {readonly credentials: Credentials; readonly expires: number} | {readonly problem: string}

/** Reads an `ExecCredential`, in JSON or YAML, of the version that was requested. `expires` is in milliseconds. */
export function readExecCredential(output: Uint8Array, apiVersion: string): ExecAnswer {
  const document = documentIn(output)
  if (document === undefined) return {problem: 'its output is not an ExecCredential'}
  const problems: string[] = []
  const root = new FieldReader(document, [], (path, message) => problems.push(`${path.join('.')} ${message}`))
  const [kind, version] = [root.text('kind'), root.text('apiVersion')]
  if (kind !== 'ExecCredential') return {problem: 'its output is not an ExecCredential'}
  if (version !== apiVersion) return {problem: `the apiVersion of its output is not ${apiVersion}`}
  const status = root.object('status')
  const answer = status === undefined ? {problem: 'its output has no status'} : answerIn(status)
  const [problem] = problems
  return problem === undefined ? answer : {problem}
}

function documentIn(output: Uint8Array): JsonObject | undefined {
  try {
    const value = readYaml(output, 'the output')[0]?.value
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

function answerIn(status: FieldReader): ExecAnswer {
  const token = status.text('token')
  const pair = {cert: status.text('clientCertificateData'), key: status.text('clientKeyData')}
  const timestamp = status.text('expirationTimestamp')
  const expires = timestamp === '' ? Infinity : instantOf(timestamp)
  const problem =
    tokenProblem(token) ??
    pairProblem(pair, token !== '') ??
    (expires === undefined ? 'status.expirationTimestamp is not a time of RFC 3339' : undefined)
  if (problem !== undefined || expires === undefined) return {problem: problem ?? ''}
  return {
    expires,
    credentials: {
      ...(token === '' ? {} : {authorization: `Bearer ${headerText(token)}`}),
      ...(pair.cert === '' ? {} : {clientCertificate: pair}),
    },
  }
}

function tokenProblem(token: string): string | undefined {
  return isHeaderText(token) ? undefined : 'status.token has a line break or another control character'
}

function pairProblem(pair: {cert: string; key: string}, hasToken: boolean): string | undefined {
  const {cert, key} = pair
  if (cert === '' && key === '') return hasToken ? undefined : 'it returned neither a token nor a certificate'
  if (cert === '' || key === '') return 'it returned only one of clientCertificateData and clientKeyData'
  return keyPairProblem(pair)
}

/** https://www.rfc-editor.org/rfc/rfc3339#section-5.6, as Go reads it. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

function instantOf(text: string): number | undefined {
  const instant = RFC_3339.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(instant) ? undefined : instant
}
