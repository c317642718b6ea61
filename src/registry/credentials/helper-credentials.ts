import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {isJsonObject} from '../../yaml/json-value.js'
import {parsedJson} from '../../yaml/parsed-json.js'
import type {Credentials} from './keychain.js'
import type {CredentialHelpers, HelperAction} from './credential-ports.js'
import {keyOf} from './registry-key.js'

/** The user name that marks an identity token. */
const TOKEN = '<token>'

/** Gets the credentials for a registry from a helper; undefined for none. Throws `credentials-failed`. */
export async function helperCredentials(
  helpers: CredentialHelpers,
  name: string,
  registry: string,
): Promise<Credentials | undefined> {
  const output = await run(helpers, name, 'get', keyOf(registry))
  return output === undefined ? undefined : parseAnswer(output, name)
}

/** Stores a password with a helper. Throws `credentials-failed`. */
export async function storeInHelper(
  helpers: CredentialHelpers,
  name: string,
  registry: string,
  {username, password}: {readonly username: string; readonly password: string},
): Promise<void> {
  const document = {ServerURL: keyOf(registry), Username: username, Secret: password}
  await run(helpers, name, 'store', JSON.stringify(document))
}

/** Removes a registry from a helper; reports whether it had credentials. Throws `credentials-failed`. */
export async function eraseFromHelper(
  helpers: CredentialHelpers,
  name: string,
  registry: string,
): Promise<boolean> {
  const stored = await run(helpers, name, 'get', keyOf(registry))
  if (stored !== undefined) await run(helpers, name, 'erase', keyOf(registry))
  return stored !== undefined
}

/** Returns the output of a helper; undefined where it has no credentials. */
async function run(
  helpers: CredentialHelpers,
  name: string,
  action: HelperAction,
  input: string,
): Promise<string | undefined> {
  // The name becomes part of a program's name.
  if (!/^[\w.-]{1,100}$/.test(name)) {
    throw new CrossplaneError('credentials-failed', `invalid credential helper name ${quoted(name)}`, {
      suggestions: ["Correct credsStore and credHelpers of Docker's config.json."],
    })
  }
  const {status, output} = await helpers.run(name, action, input)
  if (status === 0) return output
  if (/credentials not found/i.test(output)) return undefined
  throw failed(`cannot ${action} credentials with docker-credential-${name}: exit status ${status}`, name)
}

function parseAnswer(output: string, name: string): Credentials | undefined {
  const document = parsedJson(output)
  if (isJsonObject(document)) {
    const {Username: username, Secret: secret} = document
    if (username === '' && secret === '') return undefined
    if (typeof username === 'string' && typeof secret === 'string') {
      return username === TOKEN
        ? {kind: 'identity-token', token: secret}
        : {kind: 'password', username, password: secret}
    }
  }
  throw failed(`cannot get credentials with docker-credential-${name}: unexpected output`, name)
}

/** The message never has the output, which may be the secret. */
function failed(message: string, name: string): CrossplaneError {
  return new CrossplaneError('credentials-failed', message, {
    suggestions: [`Check the helper: docker-credential-${name} list`],
  })
}
