import {CrossplaneError} from '../../errors.js'
import {isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import type {Credentials} from './credentials.js'
import {FieldReader} from './field-reader.js'
import {headerText, isHeaderText} from './header-text.js'
import {keyPairError} from '../../pem.js'

/** The credentials that an exec plugin printed, or the reason why they cannot be used; no message quotes the output. */
export type ExecAnswer =
  | {readonly credentials: Credentials; readonly expires: number}
  | {readonly reason: string}

/** Reads an `ExecCredential`, in JSON or YAML, of the version that was requested. `expires` is in milliseconds. */
export function readExecCredential(output: Uint8Array, apiVersion: string): ExecAnswer {
  const document = documentIn(output)
  if (document === undefined) return {reason: 'its output is not an ExecCredential'}
  const errors: string[] = []
  const root = new FieldReader(document, [], (path, message) => errors.push(`${path.join('.')} ${message}`))
  const [kind, version] = [root.text('kind'), root.text('apiVersion')]
  if (kind !== 'ExecCredential') return {reason: 'its output is not an ExecCredential'}
  if (version !== apiVersion) return {reason: `the apiVersion of its output is not ${apiVersion}`}
  const status = root.object('status')
  const answer = status === undefined ? {reason: 'its output has no status'} : answerIn(status)
  const [reason] = errors
  return reason === undefined ? answer : {reason}
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
  const reason =
    tokenError(token) ??
    pairError(pair, token !== '') ??
    (expires === undefined ? 'status.expirationTimestamp is not a time of RFC 3339' : undefined)
  if (reason !== undefined || expires === undefined) return {reason: reason ?? ''}
  return {
    expires,
    credentials: {
      ...(token === '' ? {} : {authorization: `Bearer ${headerText(token)}`}),
      ...(pair.cert === '' ? {} : {clientCertificate: pair}),
    },
  }
}

function tokenError(token: string): string | undefined {
  return isHeaderText(token) ? undefined : 'status.token has a line break or another control character'
}

function pairError(pair: {cert: string; key: string}, hasToken: boolean): string | undefined {
  const {cert, key} = pair
  if (cert === '' && key === '') return hasToken ? undefined : 'it returned neither a token nor a certificate'
  if (cert === '' || key === '') return 'it returned only one of clientCertificateData and clientKeyData'
  return keyPairError(pair)
}

/** https://www.rfc-editor.org/rfc/rfc3339#section-5.6, as Go reads it. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

function instantOf(text: string): number | undefined {
  const instant = RFC_3339.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(instant) ? undefined : instant
}
