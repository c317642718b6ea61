import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {present} from '../present.js'
import {isDigest} from '../reference/image-name.js'
import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'

/** A request from which a package moves to another one: it stays in the tree until a second commit removes it. */
export interface MovingRequest {
  /** The name of the request that leaves. */
  readonly from: string
  /** The name of the request to which the package moves. */
  readonly to: string
  /** Whether the package goes back: the move itself began in the other direction. */
  readonly isBack: boolean
  /** What its entry of the declaration had; absent for a package that only others require. */
  readonly entry?: {readonly package: string; readonly name?: string}
  /** Its locked digest, for the way back: a tag that moves in the registry changes nothing. */
  readonly digest?: string
  /** Its objects of the tree, as they stay. */
  readonly objects: readonly KubernetesObject[]
}

/** The types of a lock that has them. */
export const MOVING_TYPES = {
  Moving: {
    from: 'string?',
    to: 'string?',
    back: 'boolean*',
    package: 'string*',
    name: 'string*',
    digest: 'string*',
    objects: 'list:any?',
  },
} as const

/** The kinds of objects that a request needs; a lock adds no others to a tree. */
const KINDS: ReadonlySet<string> = new Set(['Provider', 'ImageConfig', 'DeploymentRuntimeConfig'])

/** Reads the requests that leave, of fields whose types were checked. */
export function movingIn(
  fields: JsonObject,
  is: (index: number, holds: boolean, message: string) => void,
): readonly MovingRequest[] {
  return asObjects(fields.moving).map((own, index) => {
    const objects = asObjects(own.objects) as unknown as readonly KubernetesObject[]
    const [from, to] = [asText(own.from), asText(own.to)]
    is(index, from !== '' && to !== '' && from !== to, 'must name two requests, from and to')
    is(index, objects.every(isOfRequest), `must have only objects of these kinds: ${[...KINDS].join(', ')}`)
    const {package: reference, name, digest} = own
    is(index, digest === undefined || isDigest(asText(digest)), 'must have a digest of the form sha256:…')
    return {
      ...{from, to, isBack: own.back === true, objects},
      ...present({digest: digest === undefined ? undefined : asText(digest)}),
      ...(reference === undefined
        ? {}
        : {
            entry: {
              package: asText(reference),
              ...present({name: name === undefined ? undefined : asText(name)}),
            },
          }),
    }
  })
}

function isOfRequest({apiVersion, kind, metadata}: KubernetesObject): boolean {
  const {name, namespace} = asObject(metadata)
  const isNamed = asText(name) !== '' && namespace === undefined
  return asText(apiVersion).startsWith('pkg.crossplane.io/') && KINDS.has(kind) && isNamed
}

/** Returns what a lock says of a request that leaves. */
export function movingValue({from, to, isBack, entry, digest, objects}: MovingRequest): JsonObject {
  return {
    ...{from, to},
    ...(isBack ? {back: true} : {}),
    ...present({package: entry?.package, name: entry?.name, digest}),
    objects,
  }
}
