import {present} from '../../present.js'
import {asObject} from '../../yaml/json-value.js'
import type {JsonValue} from '../../yaml/json-value.js'
import type {DeleteOptions, ResourceKind, Written} from './cluster-api.js'
import {receivedItem, receivedObject} from './received-object.js'
import type {ApiRequest, ApiResponse, Sender} from './sender.js'

/** Sends a change of one object of a kind. */
export async function write(sender: Sender, request: ApiRequest, kind: ResourceKind): Promise<Written> {
  const response = await sender.send(request)
  // Metadata comes without the kind of its object, as the items of a list do.
  const received = request.accept === undefined ? receivedObject : receivedItem
  return {
    object: received(response.body, kind, request.aim),
    created: response.status === 201,
    warnings: warningsIn(response.headers['warning']),
  }
}

const MAX_WARNINGS = 20

/** Reads the texts of `299 - "…"`, joined with commas (https://www.rfc-editor.org/rfc/rfc7234#section-5.5). */
function warningsIn(header: ApiResponse['headers'][string] | undefined): readonly string[] {
  const warnings = (header ?? '').matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)
  return Array.from(warnings, ([, text = '']) => text.replace(/\\(.)/g, '$1')).slice(0, MAX_WARNINGS)
}

/** Returns the query of a write. */
export function writeQuery(options: {
  readonly manager?: string
  readonly force?: boolean
  readonly dryRun?: boolean
}): Readonly<Record<string, string>> {
  const {manager, force = false, dryRun = false} = options
  return {
    ...present({fieldManager: manager}),
    ...(force ? {force: 'true'} : {}),
    ...(dryRun ? {dryRun: 'All'} : {}),
  }
}

/** Returns the body of a deletion. */
export function deletion({uid, resourceVersion, propagation, dryRun = false}: DeleteOptions): JsonValue {
  const preconditions = asObject({
    ...present({uid, resourceVersion}),
  })
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(Object.keys(preconditions).length === 0 ? {} : {preconditions}),
    ...present({propagationPolicy: propagation}),
    ...(dryRun ? {dryRun: ['All']} : {}),
  }
}
