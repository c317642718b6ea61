import {Agent, request} from 'node:https'
import {text} from 'node:stream/consumers'
import {asObject, asObjects, asText} from '../../src/yaml/json-value.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'

/** Who is asked, and as whom. */
export interface Access {
  /** `https://127.0.0.1:PORT` */
  readonly url: string
  /** PEM. */
  readonly ca: string
  readonly token: string
}

/** What the server said: a refusal is an answer too, a `Status` with its `reason` and `details`. */
export interface Answer {
  readonly code: number
  readonly body: JsonObject
  /** The body as it came, for comparing bytes; absent where the client answered itself. */
  readonly text?: string
}

interface WriteOptions {
  readonly dryRun?: boolean
}

interface ApplyOptions extends WriteOptions {
  readonly manager?: string
  readonly force?: boolean
}

/**
 * A client for suites: it says what it is told and shows what it is answered. An object is named by its apiVersion,
 * kind and metadata; where a namespaced one names no namespace, `default` is meant.
 */
export interface Kube {
  get(object: JsonObject): Promise<Answer>
  create(object: JsonObject, options?: WriteOptions): Promise<Answer>
  /** Server-side apply. */
  apply(object: JsonObject, options?: ApplyOptions): Promise<Answer>
  replace(object: JsonObject, options?: WriteOptions): Promise<Answer>
  delete(object: JsonObject): Promise<Answer>
  /** Any other request; the path may have a query. */
  send(method: string, path: string, body?: JsonValue, type?: string): Promise<Answer>
  /** Closes what is kept open between requests. */
  close(): void
}

/** Opens nothing yet. A request fails with Node's own error when nobody answers. Numbers are those of JSON.parse. */
export function connect({url, ca, token}: Access): Kube {
  const agent = new Agent({keepAlive: true, ca})
  const send: Kube['send'] = async (method, path, body, type = 'application/json') => {
    const headers = {authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': type}
    const asked = request(`${url}${path}`, {method, agent, headers, timeout: 60_000})
    const answer = await new Promise<Answer>((resolve, reject) => {
      asked.on('error', (error: NodeJS.ErrnoException) => {
        // A server may close an idle connection just when the next request is sent.
        const wasIdle = asked.reusedSocket && error.code === 'ECONNRESET'
        if (method === 'GET' && wasIdle) send(method, path, body, type).then(resolve, reject)
        else reject(error)
      })
      asked.on('timeout', () => asked.destroy(new Error(`${method} ${path}: no answer in 60 s`)))
      asked.on('response', message => {
        text(message).then(said => {
          resolve({code: message.statusCode ?? 0, body: read(said), text: said})
        }, reject)
      })
      asked.end(body === undefined ? undefined : json(body))
    })
    return answer
  }
  const find = pathFinder(send)
  /** What is not served is an answer too: soon after a CRD was made, it may be. */
  const at = async (object: JsonObject, named: boolean, ask: (path: string) => Promise<Answer>) => {
    const found = await find(object, named)
    return typeof found === 'string' ? ask(found) : found
  }
  return {
    send,
    get: object => at(object, true, path => send('GET', path)),
    create: (object, options) => at(object, false, path => send('POST', path + query(options), object)),
    replace: (object, options) => at(object, true, path => send('PUT', path + query(options), object)),
    apply: (object, options) =>
      at(object, true, path =>
        send('PATCH', path + query({manager: 'suite', ...options}), object, 'application/apply-patch+yaml'),
      ),
    delete: object => at(object, true, path => send('DELETE', path)),
    close: () => {
      agent.destroy()
    },
  }
}

/**
 * The body of an answer that was no refusal.
 *
 * @throws Error with what the server said
 */
export function accepted({code, body}: Answer): JsonObject {
  if (code >= 400) throw new Error(`${code} ${asText(body.reason)}: ${asText(body.message)}`)
  return body
}

/** Milliseconds between questions: most answers come soon, and each question takes time from the server that is waited for. */
const PAUSES = {first: 50, longest: 250}

/**
 * Asks until the answer is what is waited for, and returns it.
 *
 * @throws Error with the last answer when that takes longer than `seconds`
 */
export async function until<T>(
  ask: () => Promise<T>,
  want: (answer: T) => boolean,
  seconds = 30,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (let pause = PAUSES.first; ; pause = Math.min(pause * 1.2, PAUSES.longest)) {
    const answer = await ask()
    if (want(answer)) return answer
    if (performance.now() > end) throw new Error(`not in ${seconds} s; last: ${JSON.stringify(answer)}`)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
}

/** Creates an object as soon as its kind is served: a moment after its CRD is established. */
export async function createServed(kube: Kube, object: JsonObject): Promise<JsonObject> {
  return accepted(
    await until(
      () => kube.create(object),
      ({code}) => code !== 404,
    ),
  )
}

/**
 * Finds the path of an object by asking the server how its kind is called there, once for each kind that is served;
 * what the server answers, or would, where it is not.
 */
function pathFinder(send: Kube['send']): (object: JsonObject, named: boolean) => Promise<Answer | string> {
  const known = new Map<string, JsonObject>()
  return async (object, named) => {
    const [apiVersion, kind] = [asText(object.apiVersion), asText(object.kind)]
    const root = `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`
    const resource = known.get(`${root} ${kind}`) ?? (await findResource(send, root, kind))
    if (isAnswer(resource)) return resource
    known.set(`${root} ${kind}`, resource)
    const {name, namespace} = asObject(object.metadata)
    const within = resource.namespaced === true ? `/namespaces/${asText(namespace) || 'default'}` : ''
    return `${root}${within}/${asText(resource.name)}${named ? `/${asText(name)}` : ''}`
  }
}

async function findResource(send: Kube['send'], root: string, kind: string): Promise<Answer | JsonObject> {
  const answer = await send('GET', root)
  if (answer.code !== 200) return answer
  const resources = asObjects(answer.body.resources).filter(({name}) => !asText(name).includes('/'))
  const message = `there is no ${kind} below ${root}`
  return resources.find(each => each.kind === kind) ?? {code: 404, body: {reason: 'NotFound', message}}
}

function isAnswer(found: Answer | JsonObject): found is Answer {
  return typeof found.code === 'number'
}

function query({dryRun, manager, force}: ApplyOptions = {}): string {
  const parameters = new URLSearchParams({
    ...(dryRun === true ? {dryRun: 'All'} : {}),
    ...(manager === undefined ? {} : {fieldManager: manager}),
    ...(force === true ? {force: 'true'} : {}),
  })
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

/** The server answers in JSON but for a few paths such as `/readyz`, whose text becomes the message. */
function read(said: string): JsonObject {
  try {
    return JSON.parse(said) as JsonObject
  } catch {
    return {message: said}
  }
}

function json(value: JsonValue): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'bigint' ? `${value}` : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}:${json(each)}`)
    .join(',')}}`
}
