import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {isJsonObject} from '../../yaml/json-value.js'
import type {JsonValue} from '../../yaml/json-value.js'
import type {Credentials} from './keychain.js'
import type {CredentialHelpers, HelperAction} from './credential-ports.js'
import {keyOf} from './registry-key.js'

/** The name that stands for an identity token where a password's would. */
const TOKEN = '<token>'

/** What a helper has for a registry; undefined for nothing. Throws `credentials-failed` for one that does not work. */
export async function askHelper(
  helpers: CredentialHelpers,
  name: string,
  registry: string,
): Promise<Credentials | undefined> {
  const output = await run(helpers, name, 'get', keyOf(registry))
  return output === undefined ? undefined : parseAnswer(output, name)
}

/** Hands a password to a helper. Throws `credentials-failed`. */
export async function storeInHelper(
  helpers: CredentialHelpers,
  name: string,
  registry: string,
  {username, password}: {readonly username: string; readonly password: string},
): Promise<void> {
  const document = {ServerURL: keyOf(registry), Username: username, Secret: password}
  await run(helpers, name, 'store', JSON.stringify(document))
}

/** Lets a helper forget a registry; whether it knew it. Throws `credentials-failed`. */
export async function eraseFromHelper(
  helpers: CredentialHelpers,
  name: string,
  registry: string,
): Promise<boolean> {
  const known = await run(helpers, name, 'get', keyOf(registry))
  if (known !== undefined) await run(helpers, name, 'erase', keyOf(registry))
  return known !== undefined
}

/** What a helper prints; undefined where it says that there are no credentials. */
async function run(
  helpers: CredentialHelpers,
  name: string,
  action: HelperAction,
  input: string,
): Promise<string | undefined> {
  // It becomes part of a program's name.
  if (!/^[\w.-]{1,100}$/.test(name)) {
    throw failed(`the name ${quoted(name)} of a credential helper has characters that none may have`, name)
  }
  const {status, output} = await helpers.run(name, action, input)
  if (status === 0) return output
  if (/credentials not found/i.test(output)) return undefined
  throw failed(`the credential helper docker-credential-${name} failed to ${action} (status ${status})`, name)
}

function parseAnswer(output: string, name: string): Credentials | undefined {
  const document = parsed(output)
  if (isJsonObject(document)) {
    const {Username: username, Secret: secret} = document
    if (username === '' && secret === '') return undefined
    if (typeof username === 'string' && typeof secret === 'string') {
      return username === TOKEN
        ? {kind: 'identity-token', token: secret}
        : {kind: 'password', username, password: secret}
    }
  }
  throw failed(`the credential helper docker-credential-${name} printed what is no credentials`, name)
}

/** Undefined for what is no JSON. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** Without what it printed, which may be the secret. */
function failed(message: string, name: string): CrossplaneError {
  return new CrossplaneError('credentials-failed', message, {
    suggestions: [`Run docker-credential-${quoted(name).slice(1, -1)} list to see what is wrong with it.`],
  })
}
