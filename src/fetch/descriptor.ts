import {CrossplaneError} from '../errors.js'
import type {Diagnostic} from '../diagnostic.js'
import {isDigest} from '../reference/image-name.js'
import {isJsonObject} from '../yaml/json-value.js'
import type {JsonObject, JsonValue} from '../yaml/json-value.js'
import type {Descriptor, Digest} from './image.js'
import type {Platform} from './platform.js'
import {quoted} from '../text.js'

/**
 * Reads the descriptors in a document's field. Throws `source-invalid` with all errors of all descriptors, and
 * `unsupported` for digests other than sha256, the only algorithm in use.
 */
export function readDescriptors(document: JsonObject, field: string, holder: string): readonly Descriptor[] {
  const values = document[field]
  const diagnostics = Array.isArray(values)
    ? values.flatMap((value: JsonValue, index) => descriptorDiagnostics(value, `${field}[${index}]`))
    : [{severity: 'error' as const, rule: 'descriptor', field, message: 'must be a list of descriptors'}]
  if (diagnostics.length > 0) {
    throw new CrossplaneError('source-invalid', `${holder} is not a valid manifest or index`, {diagnostics})
  }
  return (values as readonly JsonObject[]).map(value => toDescriptor(value, holder))
}

const DIGEST = /^[a-z0-9]+([+._-][a-z0-9]+)*:[A-Za-z0-9=_-]+$/

function descriptorDiagnostics(value: JsonValue, field: string): readonly Diagnostic[] {
  if (!isJsonObject(value))
    return [{severity: 'error' as const, rule: 'descriptor', field, message: 'must be a descriptor'}]
  const {mediaType, digest, size} = value
  const checks: readonly (readonly [name: string, holds: boolean, message: string])[] = [
    ['mediaType', typeof mediaType === 'string' && mediaType !== '', 'must be a media type'],
    ['digest', isAnyDigest(digest), 'must be a digest, such as sha256: and 64 hex digits'],
    ['size', Number.isSafeInteger(size) && Number(size) >= 0, 'must be a number of bytes'],
  ]
  return checks
    .filter(([, holds]) => !holds)
    .map(([name, , message]) => ({
      severity: 'error' as const,
      rule: 'descriptor',
      field: `${field}.${name}`,
      message,
    }))
}

function isAnyDigest(value: JsonValue | undefined): boolean {
  if (typeof value !== 'string' || !DIGEST.test(value)) return false
  return !value.startsWith('sha256:') || isDigest(value)
}

/** Converts a descriptor that `descriptorDiagnostics` has accepted. */
function toDescriptor(value: JsonObject, holder: string): Descriptor {
  const {mediaType = '', digest = '', artifactType} = stringsOf(value)
  const platform = platformOf(value['platform'])
  return {
    mediaType,
    digest: supportedDigest(digest, holder),
    size: Number(value['size']),
    platform,
    annotations: stringsOf(value['annotations']),
    ...(artifactType !== undefined && {artifactType}),
  }
}

function supportedDigest(digest: string, holder: string): Digest {
  if (isDigest(digest)) return digest
  throw new CrossplaneError(
    'unsupported',
    `${holder} uses the digest ${quoted(digest)}; only sha256 is supported`,
  )
}

function platformOf(value: JsonValue | undefined): Platform | undefined {
  const {os, architecture, variant} = stringsOf(value)
  if (os === undefined || architecture === undefined) return undefined
  return {os, architecture, ...(variant !== undefined && variant !== '' && {variant})}
}

/** Returns the fields that are texts, such as annotations. */
export function stringsOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
