import {CrossplaneError} from '../errors.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {isTag} from '../reference/image-name.js'
import {formatRepository} from '../reference/repository.js'
import type {Repository} from '../reference/repository.js'
import type {JsonValue} from '../yaml/json-value.js'
import {nextPage} from './next-page.js'
import type {Document, Session} from './session.js'

const PAGE_BYTES = 8 * 1024 * 1024
const MAX_PAGES = 10_000
/** Of all pages, which callers keep: some hundreds of thousands of tags. */
const MAX_BYTES = 64 * 1024 * 1024
/** Milliseconds of waiting for all pages: a server that answers slowly can keep any number of pages coming. */
const MAX_TIME = 5 * 60 * 1000

/**
 * Lists the tags of a repository in the registry's order, page by page. The registry decides on the size of a page: some
 * reject numbers that others accept. Throws `registry-failed` for pages in a loop or at another host and for invalid tags,
 * `limit-exceeded` for too many, and `timeout` where all pages take too long.
 */
export async function* listTags(
  session: Session,
  repository: Repository,
): AsyncGenerator<string, void, undefined> {
  const aim = `list the tags of ${formatRepository(repository)}`
  const scopes = [`repository:${repository.path}:pull`]
  const seen = new Set<string>()
  let bytes = 0
  let waited = 0
  let url: URL | undefined = session.url(`${repository.path}/tags/list`)
  while (url !== undefined) {
    if (seen.has(url.href) || seen.size === MAX_PAGES) throw failed(aim, url, 'endless pages')
    seen.add(url.href)
    const since = session.clock.elapsed()
    const page: Document = await session.document(
      {method: 'GET', url, scopes, aim, accepts: [200]},
      PAGE_BYTES,
    )
    bytes += page.bytes.length
    waited += session.clock.elapsed() - since
    if (bytes > MAX_BYTES) throw tooMany(aim, url)
    if (waited > MAX_TIME) throw tooSlow(aim, url)
    yield* tagsIn(page, aim, url)
    url = nextPage(page.headers['link'], aim, url)
  }
}

/** docker-registry answers null for a repository whose tags were all deleted. */
function tagsIn({bytes}: Document, aim: string, url: URL): readonly string[] {
  const tags = tagsField(bytes, aim, url) ?? []
  if (!Array.isArray(tags)) throw failed(aim, url, 'unexpected response')
  return tags.map((tag: JsonValue) => {
    if (typeof tag === 'string' && isTag(tag)) return tag
    throw failed(aim, url, 'invalid tag in the response')
  })
}

function tagsField(bytes: Uint8Array, aim: string, url: URL): JsonValue | undefined {
  try {
    return parseJsonObject(bytes, 'the list of tags')['tags']
  } catch {
    throw failed(aim, url, 'unexpected response')
  }
}

function tooMany(aim: string, {host}: URL): CrossplaneError {
  const message = `cannot ${aim}: more than ${MAX_BYTES / 1024 / 1024} MiB of tags (${host})`
  return new CrossplaneError('limit-exceeded', message, {suggestions: [PIN]})
}

const PIN = 'Add a tag or a digest to the reference.'

function tooSlow(aim: string, {host}: URL): CrossplaneError {
  const message = `cannot ${aim}: the pages take longer than ${MAX_TIME / 60_000} minutes (${host})`
  return new CrossplaneError('timeout', message, {suggestions: [PIN]})
}

function failed(aim: string, {host}: URL, why: string): CrossplaneError {
  return new CrossplaneError('registry-failed', `cannot ${aim}: ${why} (${host})`)
}
