import {once} from 'node:events'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {text} from 'node:stream/consumers'

/** A pull request as the fake keeps it. */
export interface FakePull {
  readonly number: number
  readonly html_url: string
  state: string
  title: string
  body: string
  readonly head: {readonly ref: string; sha: string; readonly repo: {readonly full_name: string}}
  readonly base: {readonly ref: string}
}

/** An answer in place of that of the API. */
interface FakeAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * A part of the API of GitHub on loopback: it rejects requests that the documented operations `pulls/list`, `pulls/create` and
 * `pulls/update` do not have. https://docs.github.com/en/rest/pulls/pulls?apiVersion=2022-11-28
 */
export class GitHubServer {
  readonly pulls: FakePull[] = []
  readonly seen: {readonly method: string; readonly path: string}[] = []
  /** What the operations do not allow of the requests that were received. */
  readonly violations: string[] = []
  /** Answers to the next requests. */
  readonly next: FakeAnswer[] = []
  readonly repository: string
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  readonly #token: string
  readonly #heads: (branch: string) => string

  constructor(repository: string, token: string, heads: (branch: string) => string = () => 'a'.repeat(40)) {
    this.repository = repository
    this.#token = token
    this.#heads = heads
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v3`
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {method = '', url = '', headers} = request
    this.seen.push({method, path: url})
    const content = await text(request)
    const send = (status: number, value: unknown, more: Readonly<Record<string, string>> = {}) =>
      response.writeHead(status, {'content-type': 'application/json', ...more}).end(JSON.stringify(value))
    const [planned] = this.next.splice(0, 1)
    if (planned !== undefined)
      return void response.writeHead(planned.status, planned.headers).end(planned.body ?? '{}')
    if (headers.authorization !== `Bearer ${this.#token}`) return void send(401, {message: 'Bad credentials'})
    this.#expect(headers['user-agent'] !== undefined, 'no user agent')
    this.#expect(headers.accept === 'application/vnd.github+json', 'another media type')
    const place = new URL(url, 'http://127.0.0.1')
    const [, number] = /\/pulls\/(\d+)$/.exec(place.pathname) ?? []
    const base = `/api/v3/repos/${this.repository}/pulls`
    if (!place.pathname.startsWith(base)) return void send(404, {message: 'Not Found'})
    if (method === 'GET') return this.#list(place.searchParams, send)
    const value = JSON.parse(content) as Readonly<Record<string, string>>
    if (method === 'POST') return this.#create(value, send)
    this.#update(Number(number), value, send)
  }

  #update(
    number: number,
    value: Readonly<Record<string, string>>,
    send: (status: number, value: unknown) => void,
  ): void {
    this.#fields(value, ['title', 'body', 'state', 'base'])
    const pull = this.pulls.find(one => one.number === number)
    if (pull === undefined) return send(404, {message: 'Not Found'})
    send(200, Object.assign(pull, value))
  }

  #list(
    query: URLSearchParams,
    send: (status: number, value: unknown, more?: Record<string, string>) => void,
  ): void {
    const allowed = ['state', 'head', 'base', 'sort', 'direction', 'per_page', 'page']
    this.#expect(
      [...query.keys()].every(key => allowed.includes(key)),
      'an unknown parameter',
    )
    const [size, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)]
    this.#expect(size <= 100 && page >= 1, 'a page that does not exist')
    const head = query.get('head') ?? ''
    this.#expect(/^[^:]+:.+/.test(head), 'a head that is not OWNER:BRANCH')
    const own = this.pulls
      .filter(pull => `${this.repository.split('/')[0]}:${pull.head.ref}` === head)
      .filter(pull => query.get('state') === 'all' || pull.state === (query.get('state') ?? 'open'))
      .sort((one, other) => other.number - one.number)
    const more: Record<string, string> =
      own.length > size * page ? {link: '<https://evil.example.org/next>; rel="next"'} : {}
    send(200, own.slice(size * (page - 1), size * page), more)
  }

  #create(value: Readonly<Record<string, string>>, send: (status: number, value: unknown) => void): void {
    this.#fields(value, ['title', 'head', 'base', 'body', 'draft'])
    const {title = '', head = '', base = '', body = ''} = value
    if (this.pulls.some(pull => pull.state === 'open' && pull.head.ref === head)) {
      const message = `A pull request already exists for ${head}.`
      return send(422, {message: 'Validation Failed', errors: [{resource: 'PullRequest', message}]})
    }
    if (body.length > 65_536) return send(422, {message: 'body is too long (maximum is 65536 characters)'})
    send(201, this.add({title, body, ref: head, base}))
  }

  /** Adds a pull request as another client opens it. */
  add({title = '', body = '', ref = '', base = 'main', state = 'open', sha = this.#heads(ref)}): FakePull {
    const number = this.pulls.length + 1
    const pull = {
      ...{number, state, title, body},
      html_url: `https://github.example.org/${this.repository}/pull/${number}`,
      head: {ref, sha, repo: {full_name: this.repository}},
      base: {ref: base},
    }
    this.pulls.push(pull)
    return pull
  }

  #fields(value: Readonly<Record<string, unknown>>, names: readonly string[]): void {
    for (const [name, field] of Object.entries(value)) {
      this.#expect(names.includes(name), `the field ${name}`)
      this.#expect(typeof field === 'string', `${name} is not a text`)
    }
  }

  #expect(holds: boolean, violation: string): void {
    if (!holds) this.violations.push(violation)
  }
}
