import {once} from 'node:events'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {text} from 'node:stream/consumers'
import {GitHubDescription, type ReceivedRequest} from './github-description.js'

/** Of the API of an own GitHub. */
const BASE = '/api/v3'

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
  /** Whether something other than GitHub sends it, such as a proxy: it can be anything. */
  readonly isForeign?: boolean
}

/** GitHub limits the length of a body, which its description does not say. */
const MAX_BODY = 65_536

const DOCUMENTATION = 'https://docs.github.com/rest/pulls/pulls'

let description: GitHubDescription | undefined

/**
 * The pull requests of a repository in the API of GitHub, on loopback. All that it receives and sends is judged by GitHub's own
 * description of the API: what that does not allow is in `violations`.
 */
export class GitHubServer {
  readonly pulls: FakePull[] = []
  readonly seen: {readonly method: string; readonly path: string}[] = []
  /** What the description does not allow of the requests that were received, and of the answers. */
  readonly violations: string[] = []
  /** Answers to the next requests; undefined is that of the API. */
  readonly next: (FakeAnswer | undefined)[] = []
  readonly repository: string
  readonly #description = (description ??= new GitHubDescription())
  readonly #server = createServer(
    (request, response) =>
      void this.#respond(request, response).catch((error: unknown) => {
        this.violations.push(String(error))
        response.destroy()
      }),
  )
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
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${BASE}`
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {method = '', url = ''} = request
    this.seen.push({method, path: url})
    const place = new URL(url, 'http://127.0.0.1')
    const body = await text(request)
    const received = {method, path: place.pathname.replace(BASE, ''), query: place.searchParams, body}
    this.violations.push(...this.#description.ofRequest(received), ...headerViolations(request))
    const [planned] = this.next.splice(0, 1)
    const {
      status,
      headers = {},
      value,
    } = planned === undefined
      ? this.#answer(received, request.headers.authorization)
      : {
          ...planned,
          value: planned.isForeign === true ? planned.body : (JSON.parse(planned.body ?? '{}') as unknown),
        }
    if (planned?.isForeign !== true)
      this.violations.push(...this.#description.ofAnswer(received, status, value))
    const content = typeof value === 'string' ? value : JSON.stringify(value)
    response.writeHead(status, {'content-type': 'application/json; charset=utf-8', ...headers}).end(content)
  }

  #answer(received: ReceivedRequest, authorization: string | undefined): Answer {
    if (authorization !== `Bearer ${this.#token}`) return failure(401, 'Bad credentials')
    const [, repository, number] = /^\/repos\/([^/]+\/[^/]+)\/pulls(?:\/(\d+))?$/.exec(received.path) ?? []
    if (repository !== this.repository) return failure(404, 'Not Found')
    if (received.method === 'GET') return this.#list(received.query)
    const value = JSON.parse(received.body) as Readonly<Record<string, string>>
    return number === undefined ? this.#create(value) : this.#update(Number(number), value)
  }

  #update(number: number, value: Readonly<Record<string, string>>): Answer {
    const pull = this.pulls.find(one => one.number === number)
    if (pull === undefined) return failure(404, 'Not Found')
    return {status: 200, value: this.#shown(Object.assign(pull, value))}
  }

  #list(query: URLSearchParams): Answer {
    const [size, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)]
    // The description says it in words alone.
    if (size > 100 || page < 1) this.violations.push('a page that does not exist')
    const head = query.get('head') ?? ''
    if (!/^[^:]+:.+/.test(head)) this.violations.push('a head that is not OWNER:BRANCH')
    const own = this.pulls
      .filter(pull => `${this.repository.split('/')[0]}:${pull.head.ref}` === head)
      .filter(pull => query.get('state') === 'all' || pull.state === (query.get('state') ?? 'open'))
      .sort((one, other) => other.number - one.number)
    const link = '<https://evil.example.org/next>; rel="next"'
    const shown = own.slice(size * (page - 1), size * page).map(pull => this.#shown(pull))
    return {status: 200, value: shown, ...(own.length > size * page ? {headers: {link}} : {})}
  }

  #create({title = '', head = '', base = '', body = ''}: Readonly<Record<string, string>>): Answer {
    if (this.pulls.some(pull => pull.state === 'open' && pull.head.ref === head))
      return invalid(`A pull request already exists for ${head}.`)
    if (body.length > MAX_BODY) return invalid(`body is too long (maximum is ${MAX_BODY} characters)`)
    return {status: 201, value: this.#shown(this.add({title, body, ref: head, base}))}
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

  /** Returns all fields of a pull request: what the fake does not keep is that of GitHub's example. */
  #shown({head, base, ...own}: FakePull): object {
    const example = this.#description.pullRequest() as {
      readonly head: {readonly repo: object}
      readonly base: object
    }
    return {
      ...example,
      // The example has teams without fields that the description requires.
      requested_teams: [],
      ...own,
      head: {...example.head, ...head, repo: {...example.head.repo, ...head.repo}},
      base: {...example.base, ...base},
    }
  }
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly value: unknown
}

function failure(status: number, message: string): Answer {
  return {status, value: {message, documentation_url: DOCUMENTATION, status: String(status)}}
}

function invalid(message: string): Answer {
  const errors = [{resource: 'PullRequest', code: 'custom', message}]
  return {status: 422, value: {message: 'Validation Failed', errors, documentation_url: DOCUMENTATION}}
}

/** https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#headers */
function headerViolations({headers, method}: IncomingMessage): readonly string[] {
  return [
    ...(headers['user-agent'] === undefined ? ['no user agent'] : []),
    ...(headers.accept === 'application/vnd.github+json' ? [] : ['another media type']),
    ...(headers['x-github-api-version'] === '2022-11-28' ? [] : ['another version of the API']),
    ...(method === 'GET' || headers['content-type'] === 'application/json'
      ? []
      : ['a body that is not JSON']),
  ]
}
