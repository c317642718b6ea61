import {CrossplaneError} from '../errors.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {isTag} from '../reference/image-name.js'
import {formatRepository} from '../reference/repository.js'
import type {Repository} from '../reference/repository.js'
import type {JsonValue} from '../yaml/json-value.js'
import type {Document, Session} from './session.js'

const PAGE_BYTES = 8 * 1024 * 1024
const MAX_PAGES = 10_000
/** Of all pages; some hundreds of thousands of tags, and who reads them keeps them. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * The tags of a repository in the registry's order, page after page. How long a page is, is left to the registry: some
 * refuse numbers that others ask for. `registry-failed` for pages that never end or lead elsewhere, and for names that
 * no tag can have; `limit-exceeded` for more than anybody publishes.
 */
export async function* listTags(
  session: Session,
  repository: Repository,
): AsyncGenerator<string, void, undefined> {
  const aim = `list the tags of ${formatRepository(repository)}`
  const scopes = [`repository:${repository.path}:pull`]
  const seen = new Set<string>()
  let bytes = 0
  let url: URL | undefined = session.url(`${repository.path}/tags/list`)
  while (url !== undefined) {
    if (seen.has(url.href) || seen.size === MAX_PAGES) throw failed(aim, url, 'its pages have no end')
    seen.add(url.href)
    const page: Document = await session.document(
      {method: 'GET', url, scopes, aim, accepts: [200]},
      PAGE_BYTES,
    )
    bytes += page.bytes.length
    if (bytes > MAX_BYTES) throw tooMany(aim, url)
    yield* tagsIn(page, aim, url)
    url = nextPage(page.headers['link'], aim, url)
  }
}

/** docker-registry answers null for a repository of which all tags are gone. */
function tagsIn({bytes}: Document, aim: string, url: URL): readonly string[] {
  const tags = tagsField(bytes, aim, url) ?? []
  if (!Array.isArray(tags)) throw failed(aim, url, 'it answered with something else')
  return tags.map((tag: JsonValue) => {
    if (typeof tag === 'string' && isTag(tag)) return tag
    throw failed(aim, url, 'it lists what is no tag')
  })
}

function tagsField(bytes: Uint8Array, aim: string, url: URL): JsonValue | undefined {
  try {
    return parseJsonObject(bytes, 'The list of tags')['tags']
  } catch {
    throw failed(aim, url, 'it answered with something else')
  }
}

/** RFC 8288, as far as registries use it: `</v2/team/package/tags/list?last=v1&n=100>; rel="next"`, among others. */
const LINKS = /<([^<>\s]{1,4096})>([^<>]*)/g
const IS_NEXT = /;\s*rel\s*=\s*"?next"?\s*(?:$|[,;])/i

function nextPage(link: string | undefined, aim: string, url: URL): URL | undefined {
  if (link === undefined) return undefined
  const [, target] = [...link.matchAll(LINKS)].find(([, , parameters = '']) => IS_NEXT.test(parameters)) ?? []
  if (target === undefined) return undefined
  const next = URL.canParse(target, url.href) ? new URL(target, url.href) : undefined
  if (next?.origin === url.origin && next.username === '' && next.password === '') return next
  throw failed(aim, url, 'its next page is somewhere else')
}

function tooMany(aim: string, {host}: URL): CrossplaneError {
  const message = `Cannot ${aim} at ${host}: there are more than ${MAX_BYTES} bytes of them.`
  return new CrossplaneError('limit-exceeded', message, {suggestions: ['Name a tag or a digest.']})
}

function failed(aim: string, {host}: URL, why: string): CrossplaneError {
  return new CrossplaneError('registry-failed', `Cannot ${aim} at ${host}: ${why}.`)
}
