import {CrossplaneError} from '../../errors.js'
import {isJsonObject} from '../../yaml/json-value.js'
import type {JsonObject, JsonValue} from '../../yaml/json-value.js'
import type {Credentials} from './keychain.js'
import {keysFor, registryOfKey} from './registry-key.js'

/** docker's `config.json`, or podman's `auth.json`: https://docs.docker.com/reference/cli/docker/login/. */
export interface DockerConfig {
  /** The whole document, with fields that are not used here. */
  readonly document: JsonObject
  readonly auths: JsonObject
  readonly credHelpers: JsonObject
  readonly credsStore: string
  readonly path: string
}

/** Throws `credentials-failed`, without quoting the file: the invalid part may be half a password. */
export function parseDockerConfig(text: string | undefined, path: string): DockerConfig {
  const document = text === undefined || text.trim() === '' ? {} : parse(text, path)
  if (!isJsonObject(document)) throw malformed(path, 'is not a JSON object')
  const {auths, credHelpers, credsStore} = document
  return {
    document,
    auths: section(auths, 'auths', path),
    credHelpers: section(credHelpers, 'credHelpers', path),
    credsStore: optionalText(credsStore, 'credsStore', path),
    path,
  }
}

/** Returns the name of the helper for a registry; undefined where the file itself has the credentials. */
export function helperFor(
  {credHelpers, credsStore, path}: DockerConfig,
  registry: string,
): string | undefined {
  const [key] = keysFor(registry, Object.keys(credHelpers))
  const own = key === undefined ? '' : optionalText(credHelpers[key], `credHelpers of ${registry}`, path)
  const name = own === '' ? credsStore : own
  return name === '' ? undefined : name
}

/** Returns the credentials in the file itself. Throws `credentials-failed` for an invalid entry. */
export function storedCredentials({auths, path}: DockerConfig, registry: string): Credentials | undefined {
  for (const key of keysFor(registry, Object.keys(auths))) {
    const credentials = credentialsOf(section(auths[key], `the entry of ${registry}`, path), registry, path)
    if (credentials !== undefined) return credentials
  }
  return undefined
}

/** Returns the registries that a file names, with its helpers, which are not run. */
export function registriesIn({auths, credHelpers}: DockerConfig): readonly string[] {
  return [...Object.keys(auths), ...Object.keys(credHelpers)].flatMap(key => registryOfKey(key) ?? [])
}

/** Encodes, and does not encrypt, a password as in the file. */
export function encodeAuth(username: string, password: string): string {
  return Buffer.from(`${username}:${password}`).toString('base64')
}

function credentialsOf(entry: JsonObject, registry: string, path: string): Credentials | undefined {
  const text = (name: string) => optionalText(entry[name], `${name} of ${registry}`, path)
  const [token, auth, username, password] = [
    text('identitytoken'),
    text('auth'),
    text('username'),
    text('password'),
  ]
  if (token !== '') return {kind: 'identity-token', token}
  if (auth !== '') return decodeAuth(auth, registry, path)
  return username === '' ? undefined : {kind: 'password', username, password}
}

function decodeAuth(auth: string, registry: string, path: string): Credentials {
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(auth) ? Buffer.from(auth, 'base64') : Buffer.alloc(0)
  const [, username, password = ''] = /^([^:]+):([^]*?)\0*$/.exec(bytes.toString()) ?? []
  if (username !== undefined) return {kind: 'password', username, password}
  throw malformed(path, `is malformed: auth of ${registry} is not NAME:PASSWORD in base64`)
}

function parse(text: string, path: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    // Without the cause, which quotes the text.
    throw malformed(path, 'is not valid JSON')
  }
}

function section(value: JsonValue | undefined, name: string, path: string): JsonObject {
  if (value === undefined || value === null) return {}
  if (isJsonObject(value)) return value
  throw malformed(path, `is malformed: ${name} is not an object`)
}

function optionalText(value: JsonValue | undefined, name: string, path: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  throw malformed(path, `is malformed: ${name} is not a string`)
}

function malformed(path: string, what: string): CrossplaneError {
  return new CrossplaneError('credentials-failed', `the credentials file ${path} ${what}`, {
    suggestions: ['Fix or remove the file, or set REGISTRY_AUTH_FILE to another one.'],
  })
}
