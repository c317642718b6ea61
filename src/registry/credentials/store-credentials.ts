import type {JsonObject} from '../../yaml/json-value.js'
import {eraseFromHelper, storeInHelper} from './ask-helper.js'
import type {CredentialHelpers, CredentialsFile} from './credential-ports.js'
import {encodeAuth, helperFor, parseDockerConfig} from './docker-config.js'
import type {DockerConfig} from './docker-config.js'
import {keyOf, keysFor} from './registry-key.js'

/** Where credentials are kept: in a file, as anybody can read who can read the file, or by a helper. */
export type CredentialsPlace =
  {readonly kind: 'file'; readonly path: string} | {readonly kind: 'helper'; readonly name: string}

interface StorePorts {
  readonly file: CredentialsFile
  readonly helpers: CredentialHelpers
}

/** Keeps a password where docker would. Throws `credentials-failed`. */
export async function storeCredentials(
  {file, helpers}: StorePorts,
  registry: string,
  credentials: {readonly username: string; readonly password: string},
): Promise<CredentialsPlace> {
  const config = parseDockerConfig(await file.read(), file.path)
  const name = helperFor(config, registry)
  if (name !== undefined) await storeInHelper(helpers, name, registry, credentials)
  // With a helper an empty entry, as docker's: it says who is logged in, and takes an old password away.
  const entry: JsonObject =
    name === undefined ? {auth: encodeAuth(credentials.username, credentials.password)} : {}
  await file.write(withAuths(config, {...without(config, registry), [keyOf(registry)]: entry}))
  return name === undefined ? {kind: 'file', path: file.path} : {kind: 'helper', name}
}

/** Forgets a registry, in the file and with its helper; whether there was anything. Throws `credentials-failed`. */
export async function eraseCredentials({file, helpers}: StorePorts, registry: string): Promise<boolean> {
  const config = parseDockerConfig(await file.read(), file.path)
  const name = helperFor(config, registry)
  const wasKept = name !== undefined && (await eraseFromHelper(helpers, name, registry))
  const wasStored = keysFor(registry, Object.keys(config.auths)).length > 0
  if (wasStored) await file.write(withAuths(config, without(config, registry)))
  return wasKept || wasStored
}

function without({auths}: DockerConfig, registry: string): JsonObject {
  const gone = keysFor(registry, Object.keys(auths))
  return Object.fromEntries(Object.entries(auths).filter(([key]) => !gone.includes(key)))
}

/** Everything else stays as it is; with tabs and without a last line break, as docker writes it. */
function withAuths({document}: DockerConfig, auths: JsonObject): string {
  return JSON.stringify({...document, auths}, null, '\t')
}
