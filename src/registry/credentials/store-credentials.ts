import type {JsonObject} from '../../yaml/json-value.js'
import {eraseFromHelper, storeInHelper} from './helper-credentials.js'
import type {CredentialHelpers, CredentialsFile} from './credential-ports.js'
import {encodeAuth, helperFor, parseDockerConfig} from './docker-config.js'
import type {DockerConfig} from './docker-config.js'
import {keyOf, keysFor} from './registry-key.js'

/** The place where credentials were stored: unencrypted in a file, or by a helper. */
export type CredentialsPlace =
  | {readonly kind: 'file'; readonly path: string}
  | {readonly kind: 'helper'; readonly name: string}

interface StorePorts {
  /** In the order in which they are searched; the last is docker's, where new credentials go. */
  readonly files: readonly CredentialsFile[]
  readonly helpers: CredentialHelpers
}

/**
 * Stores a password in the file with the current credentials for the registry, which would otherwise hide the new
 * ones, or else in docker's. Throws `credentials-failed`.
 */
export async function storeCredentials(
  {files, helpers}: StorePorts,
  registry: string,
  credentials: {readonly username: string; readonly password: string},
): Promise<CredentialsPlace> {
  const opened = await openAll(files)
  const target =
    opened.find(({config}) => hasEntry(config, registry) || helperFor(config, registry) !== undefined) ??
    opened.at(-1)
  if (target === undefined) throw new RangeError('no file for credentials')
  const {file, config} = target
  const name = helperFor(config, registry)
  if (name !== undefined) await storeInHelper(helpers, name, registry, credentials)
  // With a helper an empty entry, as docker writes it: it lists the registry, and removes an old password.
  const entry: JsonObject =
    name === undefined ? {auth: encodeAuth(credentials.username, credentials.password)} : {}
  await file.write(withAuths(config, {...without(config, registry), [keyOf(registry)]: entry}))
  return name === undefined ? {kind: 'file', path: file.path} : {kind: 'helper', name}
}

/** Removes a registry from all files and their helpers; reports whether there was anything. Throws `credentials-failed`. */
export async function eraseCredentials({files, helpers}: StorePorts, registry: string): Promise<boolean> {
  let wasKnown = false
  for (const {file, config} of await openAll(files)) {
    const name = helperFor(config, registry)
    if (name !== undefined && (await eraseFromHelper(helpers, name, registry))) wasKnown = true
    if (!hasEntry(config, registry)) continue
    wasKnown = true
    await file.write(withAuths(config, without(config, registry)))
  }
  return wasKnown
}

interface OpenedFile {
  readonly file: CredentialsFile
  readonly config: DockerConfig
}

async function openAll(files: readonly CredentialsFile[]): Promise<readonly OpenedFile[]> {
  return await Promise.all(
    files.map(async file => ({file, config: parseDockerConfig(await file.read(), file.path)})),
  )
}

function hasEntry({auths}: DockerConfig, registry: string): boolean {
  return keysFor(registry, Object.keys(auths)).length > 0
}

function without({auths}: DockerConfig, registry: string): JsonObject {
  const gone = keysFor(registry, Object.keys(auths))
  return Object.fromEntries(Object.entries(auths).filter(([key]) => !gone.includes(key)))
}

/** Keeps all other fields; with tabs and without a final line break, as docker writes it. */
function withAuths({document}: DockerConfig, auths: JsonObject): string {
  return JSON.stringify({...document, auths}, null, '\t')
}
