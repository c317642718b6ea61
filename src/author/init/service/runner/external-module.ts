import type {ServiceKindName} from '../service-definition.js'

/** Returns `src/external.ts`, which authors complete: the calls to the external system. */
export function externalModule({kind}: ServiceKindName): string {
  return `// The calls to the external system. They expect an API with one JSON object per ${kind}, at URL/NAME: change what is
// different in yours. "package init --update" does not change this file.
${CALLS}`
}

const CALLS = `import type {JsonObject} from 'kubectl-crossplane/plugin'
import {externalName, type ConnectionDetails, type ExternalCall, type ExternalClient} from 'kubectl-crossplane-services'
import type {Observation, ServiceProvider} from 'kubectl-crossplane-services'
import {randomBytes} from 'node:crypto'
import {isDeepStrictEqual} from 'node:util'
import {type Managed, PARAMETER_NAMES, PROVIDER, STATE_NAMES} from './service.js'

/** The key of the Secret that the Provider names: {"url": "https://api.example.org/v1/databases", "token": "…"}. */
interface Credentials {
  readonly url: string
  readonly token: string
}

export const provider: ServiceProvider<Managed> = {
  kind: PROVIDER,
  connect: (_managed, {credentials}) => Promise.resolve(new ExternalApi(parsed(credentials))),
  /** Is stored in the connection secret before the external resource is created, so that it is never lost. */
  generate: () => ({password: randomBytes(24).toString('base64url')}),
}

export class ExternalApi implements ExternalClient<Managed> {
  readonly #credentials: Credentials

  constructor(credentials: Credentials) {
    this.#credentials = credentials
  }

  async observe(managed: Managed, {signal}: ExternalCall): Promise<Observation> {
    const external = await this.#send('GET', managed, signal)
    if (external === undefined) return {exists: false}
    const requested: JsonObject = managed.spec.forProvider
    return {
      exists: true,
      isUpToDate: Object.keys(requested).every(name => isDeepStrictEqual(requested[name], external[name])),
      status: {atProvider: picked(external, STATE_NAMES)},
      // What the system selected for parameters that the user left out.
      lateInitialized: picked(external, PARAMETER_NAMES.filter(name => requested[name] === undefined)),
      details: {endpoint: this.#credentials.url, username: externalName(managed)},
    }
  }

  async create(managed: Managed, generated: JsonObject, {signal}: ExternalCall): Promise<ConnectionDetails> {
    await this.#send('PUT', managed, signal, {...managed.spec.forProvider, ...generated})
    return {}
  }

  async update(managed: Managed, {signal}: ExternalCall): Promise<ConnectionDetails> {
    await this.#send('PATCH', managed, signal, managed.spec.forProvider)
    return {}
  }

  async delete(managed: Managed, {signal}: ExternalCall): Promise<void> {
    await this.#send('DELETE', managed, signal)
  }

  /** Returns the object in the response; undefined if the external resource does not exist. */
  async #send(
    method: string,
    managed: Managed,
    signal: AbortSignal,
    body?: JsonObject,
  ): Promise<JsonObject | undefined> {
    const {url, token} = this.#credentials
    const response = await fetch(\`\${url}/\${encodeURIComponent(externalName(managed))}\`, {
      method,
      signal,
      headers: {authorization: \`Bearer \${token}\`, 'content-type': 'application/json'},
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
    const text = await response.text()
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(\`\${method} failed with \${response.status}: \${text}\`)
    return text === '' ? {} : (JSON.parse(text) as JsonObject)
  }
}

/** Throws without the text of the credentials, which messages must not contain. */
function parsed(credentials: Uint8Array): Credentials {
  try {
    const {url, token} = JSON.parse(Buffer.from(credentials).toString()) as Partial<Credentials>
    if (typeof url === 'string' && typeof token === 'string') return {url: new URL(url).href.replace(/\\/$/, ''), token}
  } catch {
    // The cause quotes the text.
  }
  throw new Error('the credentials are not {"url": …, "token": …}')
}

function picked(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}
`
