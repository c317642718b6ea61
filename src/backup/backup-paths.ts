import {createHash} from 'node:crypto'
import type {ObjectName} from '../kubernetes/object-name.js'

/** The folders of CRDs, and of what recorded or requested an install. Names of CRDs have a dot: no folder of instances has these names. */
export const CRD_FOLDER = 'crds'
export const INVENTORY_FOLDER = 'inventory'
export const REQUEST_FOLDER = 'requests'

/** A folder of objects that name an install. */
export type RecordFolder = typeof INVENTORY_FOLDER | typeof REQUEST_FOLDER

export const README_FILE = 'README.md'
/** It has no suffix of JSON or YAML, so that kubectl skips it. */
export const MANIFEST_FILE = 'MANIFEST'

/** The paths of an instance and of its status: `<crd>/<namespace>/<name>.yaml`, without a namespace if it has none. */
export function instancePaths(
  crd: string,
  {namespace, name}: Pick<ObjectName, 'namespace' | 'name'>,
): {readonly object: string; readonly status: string} {
  const folder = [crd, ...(namespace === undefined ? [] : [namespace])].map(pathSegment).join('/')
  const file = `${folder}/${pathSegment(name)}`
  return {object: `${file}.yaml`, status: `${file}.status.yaml`}
}

/** The path of a CRD, of a part of an inventory, or of a request. */
export function partPath(folder: typeof CRD_FOLDER | RecordFolder, name: string): string {
  return `${folder}/${pathSegment(name)}.yaml`
}

/** Names as Kubernetes has them, which differ in more than case and are safe in a path. */
const DNS_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/
/** Keeps file names with their suffix within 255 bytes. */
const MAX_LENGTH = 200
/** `a.status` would have the file of the status of `a`. */
const STATUS_SUFFIX = '.status'
const HASH_LENGTH = 16

/**
 * Returns a segment of a path for any name: different names have different segments, even if case does not matter. A
 * name that cannot be used unchanged ends in `~` and a hash; no name of Kubernetes has a tilde.
 */
export function pathSegment(name: string): string {
  if (DNS_NAME.test(name) && name.length <= MAX_LENGTH && !name.endsWith(STATUS_SUFFIX)) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH)
  const shown = name.toLowerCase().replace(/[^a-z0-9.-]/g, '_')
  return `${shown.replace(/^[.-]+/, '').slice(0, MAX_LENGTH - HASH_LENGTH)}~${hash}`
}
