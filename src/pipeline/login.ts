import {CrossplaneError} from '../errors.js'
import {escaped, quoted} from '../text.js'
import {parseImageName} from '../reference/image-name.js'
import {repositoryOf} from '../reference/repository.js'
import type {CredentialHelpers, CredentialsFile} from '../registry/credentials/credential-ports.js'
import {eraseCredentials, storeCredentials} from '../registry/credentials/store-credentials.js'
import type {CredentialsPlace} from '../registry/credentials/store-credentials.js'
import type {Credentials} from '../registry/credentials/keychain.js'

/** An account at a registry, `host[:port]` or `docker.io`. */
export interface Account {
  readonly registry: string
  readonly username: string
  readonly password: string
}

/** Port: the storage of credentials; see `storeCredentials`. */
export interface RegistryAccounts {
  readonly files: readonly CredentialsFile[]
  readonly helpers: CredentialHelpers
}

/** Port: checks credentials with a registry. Throws `access-denied`, and the errors of `Http`. */
export interface CredentialCheck {
  check(registry: string, credentials: Credentials): Promise<void>
}

/** The result of a login. */
export interface Login {
  readonly registry: string
  readonly username: string
  readonly storedIn: CredentialsPlace
}

/** Checks credentials with the registry, then stores them. Throws `credentials-failed`, and the errors of `check`. */
export async function login(
  {registry, username, password}: Account,
  accounts: RegistryAccounts,
  registries: CredentialCheck,
): Promise<Login> {
  if (username === '' || username.includes(':')) {
    const message = `invalid user name ${quoted(username)}: empty, or contains a colon`
    throw new CrossplaneError('usage', message)
  }
  await registries.check(registry, {kind: 'password', username, password})
  const storedIn = await storeCredentials(accounts, registry, {username, password})
  return {registry, username, storedIn}
}

/** The result of a logout; `wasKnown` is whether there were credentials. */
export interface Logout {
  readonly registry: string
  readonly wasKnown: boolean
}

/** Removes the credentials for a registry, without contacting it. Throws `credentials-failed`. */
export async function logout(registry: string, accounts: RegistryAccounts): Promise<Logout> {
  return {registry, wasKnown: await eraseCredentials(accounts, registry)}
}

/** Parses a registry, `host[:port]` or `docker.io`. Throws `usage`. */
export function parseRegistry(text: string): string {
  const name = parseImageName(`${text}/any/any`)
  if (name?.registry === text) return repositoryOf(name).registry
  const host = /^https?:\/\/([^/]+)\/?$/i.exec(text)?.[1]
  const isRegistry = host !== undefined && parseImageName(`${host}/any/any`)?.registry === host
  throw new CrossplaneError('usage', `invalid registry ${quoted(text)}`, {
    suggestions: [
      isRegistry
        ? `Write ${escaped(host)}, without https://.`
        : 'Use HOST, HOST:PORT or docker.io, such as registry.example.org:5000.',
    ],
  })
}
