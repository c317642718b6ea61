import type {Digest} from '../fetch/image.js'
import {parsePlatform, type Platform} from '../fetch/platform.js'
import {parseImageName} from '../reference/image-name.js'
import type {Repository} from '../reference/repository.js'
import {asObject, asText, type JsonValue} from '../yaml/json-value.js'

/** Readers of the fields of a document; undefined for a value of another form. */

const SHA256 = /^[0-9a-f]{64}$/
const PLATFORM = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*){1,2}$/

export function readSha256(value: JsonValue | undefined): string | undefined {
  return SHA256.test(asText(value)) ? asText(value) : undefined
}

export function readDigest(value: JsonValue | undefined): Digest | undefined {
  return asText(value).startsWith('sha256:') ? digest(asText(value).slice('sha256:'.length)) : undefined
}

function digest(hex: string): Digest | undefined {
  return SHA256.test(hex) ? `sha256:${hex}` : undefined
}

export function readRepository(value: JsonValue | undefined): Repository | undefined {
  const [registry, path] = [asText(asObject(value).registry), asText(asObject(value).path)]
  const name = parseImageName(`${registry}/${path}`)
  return name?.registry === registry && name.path === path ? {registry, path} : undefined
}

export function readPlatform(value: JsonValue | undefined): Platform | undefined {
  return PLATFORM.test(asText(value)) ? parsePlatform(asText(value)) : undefined
}

export function readTag(value: JsonValue | undefined): string | undefined {
  return parseImageName(`x:${asText(value)}`)?.tag === value ? asText(value) : undefined
}

/** A whole number from 0 to `most`. */
export function readCount(value: JsonValue | undefined, max: number): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max ? Number(value) : undefined
}
