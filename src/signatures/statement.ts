import {CrossplaneError} from '../errors.js'
import type {Digest} from '../fetch/image.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {quoted} from '../text.js'
import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'
import type {ValidDocument} from './cryptography.js'
import {expectUniqueKeys} from './unique-keys.js'
import {SIGNATURE_LIMITS} from './signature-limits.js'

/** What a signer states about an image. */
export interface Statement {
  readonly predicateType: string
  readonly predicate: JsonObject
}

/** The predicate of a plain signature, as cosign names it. */
export const SIGNATURE_TYPE = 'https://sigstore.dev/cosign/sign/v1'

/**
 * Reads the signed content of a document. Throws `source-invalid` if it is not a statement about exactly this image.
 */
export function statementAbout(
  digest: Digest,
  {payload, payloadType}: Pick<ValidDocument, 'payload' | 'payloadType'>,
): Statement {
  const content = parseJsonObject(payload, 'the signed content')
  expectUniqueKeys(payload)
  return payloadType === undefined
    ? simpleSignature(digest, content)
    : inTotoStatement(digest, content, payloadType)
}

const SIMPLE_TYPES: readonly string[] = [
  'cosign container image signature',
  'atomic container signature',
  SIGNATURE_TYPE,
]

/** https://github.com/containers/image/blob/main/docs/containers-signature.5.md */
function simpleSignature(digest: Digest, {critical}: JsonObject): Statement {
  const {image, type} = asObject(critical)
  if (!SIMPLE_TYPES.includes(asText(type))) throw invalid('it is not a signature of an image')
  const signed = asText(asObject(image)['docker-manifest-digest'])
  if (signed !== digest) throw invalid(`it is for ${quoted(signed)}`)
  return {predicateType: SIGNATURE_TYPE, predicate: {}}
}

const STATEMENT_TYPES: readonly string[] = [
  'https://in-toto.io/Statement/v0.1',
  'https://in-toto.io/Statement/v1',
]

/** https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md */
function inTotoStatement(digest: Digest, content: JsonObject, payloadType: string): Statement {
  const isStatement =
    payloadType === 'application/vnd.in-toto+json' && STATEMENT_TYPES.includes(asText(content['_type']))
  if (!isStatement) throw invalid('it is not a statement of in-toto')
  const subjects = asObjects(content['subject'])
  if (subjects.length > SIGNATURE_LIMITS.subjects) throw invalid('it is about too many images')
  const digests = subjects.map(({digest: digests}) => `sha256:${asText(asObject(digests)['sha256'])}`)
  if (!digests.includes(digest)) throw invalid(`it is for ${quoted(digests[0] ?? 'nothing')}`)
  return {predicateType: asText(content['predicateType']), predicate: asObject(content['predicate'])}
}

function invalid(why: string): CrossplaneError {
  return new CrossplaneError('source-invalid', why)
}
