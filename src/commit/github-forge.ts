import {CrossplaneError, type ErrorCode} from '../errors.js'
import type {Clock} from '../http/clock.js'
import {beginningOf, FailedAnswer} from '../http/failed-answer.js'
import {hidden} from '../http/hidden.js'
import type {Http, HttpRequest, HttpResponse} from '../http/http.js'
import {oneChunk} from '../http/one-chunk.js'
import {retried, type RetryEvent} from '../http/retry.js'
import {sha256Of} from '../plan/sha256.js'
import {escaped} from '../text.js'
import {asObject, asText, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import type {Forge, ForgeResult, MergeRequest} from './forge.js'

/** A repository of GitHub, and the address that the user or the CI named for its API. */
export interface GitHubPlace {
  readonly api: URL
  /** OWNER/NAME. */
  readonly repository: string
  readonly token: string
}

interface GitHubPorts {
  readonly http: Http
  readonly clock: Clock
  readonly report?: (event: RetryEvent) => void
}

/** The version of the API, which stays supported: https://docs.github.com/en/rest/about-the-rest-api/api-versions */
const API_VERSION = '2022-11-28'
const MAX_ANSWER = 8 * 1024 * 1024
/** Pages of at most 100 requests for one branch: more are not of this program. */
const MAX_PAGES = 5
/** GitHub rejects a longer body. */
const MAX_BODY = 65_000

/** The pull requests of a repository of GitHub. The token is sent to no other address than that of the API. */
export function githubForge(place: GitHubPlace, ports: GitHubPorts): Forge {
  return {
    ensure: async request => {
      const content = {title: request.title, body: sealedBody(request)}
      const before = await pullRequests(request, place, ports)
      const open = before.find(({state}) => state === 'open')
      if (open !== undefined) return await edited(open, content, place, ports)
      const closed = before.find(({state, commit}) => state === 'closed' && commit === request.commit)
      if (closed !== undefined) return {status: 'closed', url: closed.url}
      return await opened(request, content, place, ports)
    },
  }
}

type Content = Pick<MergeRequest, 'title' | 'body'>

interface PullRequest extends Content {
  readonly number: number
  readonly url: string
  readonly state: string
  readonly commit: string
}

/** The last line of a body: it shows whether the body and the title are still those of this program. */
const SEAL = /\n<!-- crossplane-update sha256:([0-9a-f]{64}) title:([0-9a-f]{64}) -->\n?$/

function sealedBody({title, body: whole}: Content): string {
  const cut = 'This text is longer than GitHub allows: the message of the commit has more.\n'
  const body = whole.length <= MAX_BODY ? whole : cut
  return `${body}\n<!-- crossplane-update sha256:${sha256Of(body)} title:${sha256Of(title)} -->\n`
}

/** Reports which of both are as this program wrote them. Without its seal, both are the user's. */
function ownParts({title, body: text}: Content): {readonly title: boolean; readonly body: boolean} {
  // GitHub can return other line ends than it got.
  const body = text.replaceAll('\r\n', '\n')
  const [trailer = '', ofBody, ofTitle] = SEAL.exec(body) ?? []
  if (sha256Of(body.slice(0, body.length - trailer.length)) !== ofBody) return {title: false, body: false}
  return {title: sha256Of(title) === ofTitle, body: true}
}

async function opened(
  request: MergeRequest,
  content: Content,
  place: GitHubPlace,
  ports: GitHubPorts,
): Promise<ForgeResult> {
  const {branch, target} = request
  const created = {...content, head: branch, base: target}
  try {
    const answer = await call('POST', pullsUrl(place), created, place, ports)
    return {status: 'opened', url: pullRequest(asObject(answer.value)).url}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    // An attempt whose answer was lost, or another run, can have opened it.
    const pulls = await pullRequests(request, place, ports).catch(() => [])
    const open = pulls.find(({state}) => state === 'open')
    if (open === undefined) throw error
    const {status, url} = await edited(open, content, place, ports)
    return {status: status === 'unchanged' && open.commit === request.commit ? 'opened' : status, url}
  }
}

/** Edits what is different. A title or a body that a user wrote stays. */
async function edited(
  pull: PullRequest,
  {title, body}: Content,
  place: GitHubPlace,
  ports: GitHubPorts,
): Promise<ForgeResult> {
  const own = ownParts(pull)
  const isSameBody = pull.body.replaceAll('\r\n', '\n').trim() === body.trim()
  const isSameTitle = !own.title || pull.title === title
  // The hash of the title is in the body: of a title that a user wrote, it differs from any.
  if (!own.body || (isSameBody && isSameTitle)) return {status: 'unchanged', url: pull.url}
  const url = new URL(`${pullsUrl(place).href}/${pull.number}`)
  await call('PATCH', url, {...(own.title ? {title} : {}), body}, place, ports)
  return {status: 'edited', url: pull.url}
}

/** Lists the pull requests of a branch of the repository itself, the newest first. */
async function pullRequests(
  {branch, target}: MergeRequest,
  place: GitHubPlace,
  ports: GitHubPorts,
): Promise<readonly PullRequest[]> {
  const [owner = ''] = place.repository.split('/')
  const pulls: PullRequest[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const url = pullsUrl(place)
    url.search = new URLSearchParams({
      ...{state: 'all', head: `${owner}:${branch}`, base: target},
      ...{sort: 'created', direction: 'desc', per_page: '100', page: String(page)},
    }).toString()
    const {value, hasNext} = await call('GET', url, undefined, place, ports)
    if (!Array.isArray(value)) throw unexpected(place, 'a list of pull requests')
    // A fork can have a branch of the same name.
    const own = value.map(asObject).filter(pull => isOwn(pull, branch, place))
    pulls.push(...own.map(pullRequest))
    if (!hasNext) break
  }
  return pulls
}

function isOwn({head}: JsonObject, branch: string, {repository}: GitHubPlace): boolean {
  const {ref, repo} = asObject(head)
  const name = asText(asObject(repo).full_name)
  return ref === branch && name.toLowerCase() === repository.toLowerCase()
}

function pullRequest({number, html_url: url, state, title, body, head}: JsonObject): PullRequest {
  return {
    number: typeof number === 'number' ? number : 0,
    url: escaped(asText(url)),
    state: asText(state),
    title: asText(title),
    body: asText(body),
    commit: asText(asObject(head).sha),
  }
}

function pullsUrl({api, repository}: GitHubPlace): URL {
  const path = repository.split('/').map(encodeURIComponent).join('/')
  return new URL(`${api.href.replace(/\/+$/, '')}/repos/${path}/pulls`)
}

interface Answer {
  readonly value: JsonValue
  readonly hasNext: boolean
}

async function call(
  method: 'GET' | 'POST' | 'PATCH',
  url: URL,
  content: JsonObject | undefined,
  place: GitHubPlace,
  {http, clock, report}: GitHubPorts,
): Promise<Answer> {
  const request = requestOf(method, url, content, place)
  const retrying = {clock, name: place.api.host, report, isTemporary: isRateLimited}
  return await retried(retrying, async () => {
    const answer = await http.send(request).catch((error: unknown) => {
      throw unreachable(error, place)
    })
    if (answer.status !== 200 && answer.status !== 201) throw await failed(answer, place)
    const hasNext = /<[^>]*>;\s*rel="next"/.test(answer.headers.link ?? '')
    return {value: await readJson(answer, place), hasNext}
  })
}

function requestOf(
  method: 'GET' | 'POST' | 'PATCH',
  url: URL,
  content: JsonObject | undefined,
  {token}: GitHubPlace,
): HttpRequest {
  const bytes = content === undefined ? undefined : Buffer.from(JSON.stringify(content))
  return {
    ...{method, url},
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'kubectl-crossplane',
      'x-github-api-version': API_VERSION,
      ...(bytes === undefined
        ? {}
        : {'content-type': 'application/json', 'content-length': String(bytes.length)}),
    },
    ...(bytes === undefined ? {} : {body: {size: bytes.length, open: () => oneChunk(bytes)}}),
  }
}

/** GitHub limits requests with 403, too, and then says how long. */
function isRateLimited({status, retryAfter}: FailedAnswer): boolean {
  return status === 403 && retryAfter !== undefined
}

async function readJson({body}: HttpResponse, place: GitHubPlace): Promise<JsonValue> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_ANSWER) throw unexpected(place, 'less than 8 MiB')
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as JsonValue
  } catch {
    throw unexpected(place, 'JSON')
  }
}

function unexpected({api}: GitHubPlace, expected: string): CrossplaneError {
  return new CrossplaneError('git-failed', `cannot read the answer of ${api.host}: it is not ${expected}`, {
    suggestions: ['Check --pr-api and GITHUB_API_URL.'],
  })
}

function unreachable(error: unknown, {api}: GitHubPlace): unknown {
  if (!(error instanceof CrossplaneError)) return error
  const {code, cause, message} = error
  return new CrossplaneError(code, `cannot open a pull request at ${api.host}: ${message}`, {cause})
}

/** The next step after a status, and the code of the error. */
const FAILURES: Readonly<Record<number, readonly [code: ErrorCode, suggestion: string]>> = {
  401: ['access-denied', 'Check GITHUB_TOKEN: it is missing, wrong or expired.'],
  403: [
    'access-denied',
    'Allow the token to write pull requests: in a workflow, permissions: pull-requests: write.',
  ],
  404: ['not-found', 'Check --pr-repository, and that the token can read the repository.'],
}

async function failed(answer: HttpResponse, {api, repository, token}: GitHubPlace): Promise<CrossplaneError> {
  const {status} = answer
  // Hidden before it is cut: otherwise a part of the token could remain.
  const text = messageIn(hidden(Buffer.from(await beginningOf(answer)).toString(), [token]))
  const [code, suggestion] = FAILURES[status] ?? ['git-failed', undefined]
  const cause = new FailedAnswer(`status ${status}`, answer)
  const reason = text === '' ? `status ${status}` : `${text} (${status})`
  return new CrossplaneError(code, `cannot open a pull request of ${repository} at ${api.host}: ${reason}`, {
    cause,
    suggestions: suggestion === undefined ? [] : [suggestion],
  })
}

/** The message of GitHub with those of its errors, in one line. */
function messageIn(text: string): string {
  try {
    const {message, errors} = asObject(JSON.parse(text) as JsonValue)
    const details = Array.isArray(errors)
      ? (errors as readonly JsonValue[]).map(error => asText(asObject(error).message))
      : []
    return escaped([asText(message), ...details].filter(part => part !== '').join(': ')).slice(0, 300)
  } catch {
    return ''
  }
}
