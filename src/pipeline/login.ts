import {CrossplaneError} from '../errors.js'
import {quoted} from '../text.js'
import {parseImageName} from '../reference/image-name.js'
import {repositoryOf} from '../reference/repository.js'
import type {CredentialHelpers, CredentialsFile} from '../registry/credentials/credential-ports.js'
import {eraseCredentials, storeCredentials} from '../registry/credentials/store-credentials.js'
import type {CredentialsPlace} from '../registry/credentials/store-credentials.js'
import type {Credentials} from '../registry/credentials/keychain.js'

/** A person's account at a registry, `host[:port]` or `docker.io`. */
export interface Account {
  readonly registry: string
  readonly username: string
  readonly password: string
}

/** Port: where accounts are kept. */
export interface RegistryAccounts {
  readonly file: CredentialsFile
  readonly helpers: CredentialHelpers
}

/** Port: whether a registry takes credentials. Throws `access-denied` where it does not, and what `Http` throws. */
export interface CredentialCheck {
  check(registry: string, credentials: Credentials): Promise<void>
}

/** What a login did. */
export interface Login {
  readonly registry: string
  readonly username: string
  readonly storedIn: CredentialsPlace
}

/** Asks the registry, then stores: what is refused is not kept. Throws `credentials-failed`, and what `check` does. */
export async function login(
  {registry, username, password}: Account,
  accounts: RegistryAccounts,
  registries: CredentialCheck,
): Promise<Login> {
  if (username === '' || username.includes(':')) {
    const message = `${quoted(username)} can be no user name: it is empty or has a colon`
    throw new CrossplaneError('usage', message)
  }
  await registries.check(registry, {kind: 'password', username, password})
  const storedIn = await storeCredentials(accounts, registry, {username, password})
  return {registry, username, storedIn}
}

/** What a logout did; `wasKnown` says whether there were credentials to forget. */
export interface Logout {
  readonly registry: string
  readonly wasKnown: boolean
}

/** Forgets the credentials for a registry, which is not asked. Throws `credentials-failed`. */
export async function logout(registry: string, accounts: RegistryAccounts): Promise<Logout> {
  return {registry, wasKnown: await eraseCredentials(accounts, registry)}
}

/** The registry that a person means by `text`. Throws `usage` for what no image could name as its registry. */
export function parseRegistry(text: string): string {
  const name = parseImageName(`${text}/any/any`)
  if (name?.registry === text) return repositoryOf(name).registry
  throw new CrossplaneError('usage', `${quoted(text)} is no registry`, {
    suggestions: ['Write HOST or HOST:PORT, such as registry.example.org:5000, or docker.io.'],
  })
}
