import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import {asObject, asObjects, asText, isJsonArray} from '../../yaml/json-value.js'
import type {JsonValue} from '../../yaml/json-value.js'
import type {ListOptions} from './cluster-api.js'
import {failureOf} from './cluster-failure.js'
import {apiVersionOf} from './discovery.js'
import type {ApiResource} from './discovery.js'
import {METADATA_OF_LIST} from './media-types.js'
import {receivedItem} from './received-object.js'
import {collectionPath, resourceName} from './resource-path.js'
import type {ApiRequest, Sender} from './sender.js'

/** One page of a list. */
export interface Page {
  readonly objects: readonly KubernetesObject[]
  /** That of the list, from which a watch continues. */
  readonly resourceVersion: string
}

const PAGE_SIZE = 500
/** In bytes: 500 of the largest CRDs have half of it. */
const MAX_PAGE_BYTES = 256 * 1024 * 1024
/** Two million objects: a list without an end must not block the program. */
const MAX_PAGES = 4000
const MAX_RESTARTS = 3

/**
 * Lists objects, each once: a list that expired (410) begins again, without the objects that were listed already. A
 * kind that is no longer served (404), such as one whose CRD was deleted since discovery, has no objects unless it must
 * be served.
 */
export async function* listObjects(
  sender: Sender,
  resource: ApiResource,
  options: ListOptions,
): AsyncGenerator<KubernetesObject, void, undefined> {
  const seen = new Set<string>()
  for (let restarts = 0; ; restarts++) {
    try {
      for await (const {objects} of pages(sender, resource, options)) {
        for (const object of objects) {
          const key = keyOf(object)
          if (seen.has(key)) continue
          seen.add(key)
          yield object
        }
      }
      return
    } catch (error) {
      if (isWithoutObjects(error, options)) return
      if (failureOf(error)?.status !== 410 || restarts >= MAX_RESTARTS) throw error
    }
  }
}

/** Keeps of the managed fields who applied or changed some. */
function withManagersOnly({metadata, ...object}: KubernetesObject): KubernetesObject {
  const managedFields = asObjects(metadata.managedFields).map(({manager = '', operation = ''}) => ({
    manager,
    operation,
  }))
  return {...object, metadata: {...metadata, managedFields}}
}

function isWithoutObjects(error: unknown, {mustBeServed}: ListOptions): boolean {
  return mustBeServed !== true && failureOf(error)?.status === 404
}

/** Identifies an object among those of its kind. */
export function keyOf({metadata}: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

/** Reads the pages of a list. Fails with 410 if the list expires between two of them. */
export async function* pages(
  sender: Sender,
  resource: ApiResource,
  options: ListOptions,
): AsyncGenerator<Page, void, undefined> {
  const request = listRequest(resource, options)
  const {ifLarge} = options
  let {pageSize = PAGE_SIZE} = options
  let token = ''
  const readPage = async (maxBytes = MAX_PAGE_BYTES) => {
    const query = {...request.query, limit: String(pageSize), ...(token === '' ? {} : {continue: token})}
    return await sender.send({...request, query, maxBytes})
  }
  const readRest = async (error: unknown) => {
    if (ifLarge === undefined || !isTooLarge(error)) throw error
    pageSize = ifLarge.pageSize
    return await readPage()
  }
  for (let count = 0; count < MAX_PAGES; count++) {
    const isReduced = pageSize === ifLarge?.pageSize
    const {body} = await (isReduced ? readPage() : readPage(ifLarge?.pageBytes).catch(readRest))
    yield pageIn(body, resource, request.aim, options)
    token = asText(asObject(asObject(body).metadata).continue)
    if (token === '') return
  }
  throw new CrossplaneError(
    'limit-exceeded',
    `cannot ${request.aim}: the list has more than ${MAX_PAGES} pages`,
  )
}

function isTooLarge(error: unknown): boolean {
  return error instanceof CrossplaneError && error.code === 'limit-exceeded'
}

/** The request for a list, or with `watch` for the events after it. */
export function listRequest(resource: ApiResource, options: ListOptions): ApiRequest {
  const {namespace, labelSelector, fieldSelector, metadataOnly = false} = options
  const place = namespace === undefined ? {isEverywhere: true} : {namespace}
  const where = resource.namespaced ? place : {}
  return {
    method: 'GET',
    path: collectionPath(resource, namespace),
    query: {
      ...present({labelSelector, fieldSelector}),
    },
    ...(metadataOnly ? {accept: METADATA_OF_LIST} : {}),
    aim: `list ${resourceName(resource)}`,
    verb: 'list',
    resource: resourceName(resource),
    ...where,
    maxBytes: MAX_PAGE_BYTES,
  }
}

function pageIn(
  body: JsonValue,
  resource: ApiResource,
  aim: string,
  {managersOnly = false}: ListOptions,
): Page {
  const {items, metadata} = asObject(body)
  // Go writes an empty list as null.
  if (!isJsonArray(items) && items !== null) {
    throw new CrossplaneError('cluster-failed', `cannot ${aim}: the response is not a list`)
  }
  const kind = {apiVersion: apiVersionOf(resource), kind: resource.kind}
  const received = (items ?? []).map(item => receivedItem(item, kind, aim))
  const objects = managersOnly ? received.map(withManagersOnly) : received
  return {objects, resourceVersion: asText(asObject(metadata).resourceVersion)}
}
