import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {present} from '../present.js'
import {isDigest} from '../reference/image-name.js'
import {isDnsSubdomain} from '../reference/kubernetes-names.js'
import {asObjects, asText, type JsonObject} from '../yaml/json-value.js'
import {derivedName} from '../xpkg/package-name.js'
import {keptProblems} from './moving-objects.js'

/** A request from which a package moves to another one: it stays in the tree until a second commit removes it. */
export interface MovingRequest {
  /** The name of the request that leaves. */
  readonly from: string
  /** The name of the request to which the package moves. */
  readonly to: string
  /** Its place among the packages that move together: those that others require are first. */
  readonly order: number
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
    order: 'integer*',
    back: 'boolean*',
    package: 'string*',
    name: 'string*',
    digest: 'string*',
    objects: 'list:any?',
  },
} as const

/** What of a locked package says whether a request moves to it. */
interface Target {
  readonly kind: string
  readonly repository: string
  readonly name?: string
}

/** Reads the requests that leave, of fields whose types were checked. What moves, moves to one of `xpkgs`. */
export function movingIn(
  fields: JsonObject,
  xpkgs: readonly Target[],
  is: (index: number, holds: boolean, message: string) => void,
): readonly MovingRequest[] {
  const requested = new Set(xpkgs.filter(({kind}) => kind === 'Provider').map(nameOf))
  const all = asObjects(fields.moving).map((own, index) => {
    const request = movingRequest(own)
    const {from, to, digest} = request
    is(index, request.order >= 0, 'must have an order: a number from 0 on')
    const areNames = isDnsSubdomain(from) && isDnsSubdomain(to) && from !== to
    is(index, areNames, 'must name two requests, from and to')
    is(index, requested.has(to), 'must move to a Provider of the lock')
    is(index, !requested.has(from), 'must not be requested by the lock as well')
    is(index, digest === undefined || isDigest(digest), 'must have a digest of the form sha256:…')
    for (const problem of keptProblems(request)) is(index, false, `must ${problem}`)
    return request
  })
  for (const key of ['from', 'to'] as const) {
    const names = all.map(one => one[key])
    for (const [index, name] of names.entries())
      is(index, names.indexOf(name) === index, `must name each request once: ${key}`)
  }
  return all
}

function nameOf({name, repository}: Target): string {
  return name ?? derivedName(repository)
}

function movingRequest(own: JsonObject): MovingRequest {
  const {package: reference, name, digest} = own
  return {
    ...{from: asText(own.from), to: asText(own.to), isBack: own.back === true},
    order: typeof own.order === 'number' ? own.order : -1,
    objects: asObjects(own.objects) as unknown as readonly KubernetesObject[],
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
}

/** Returns what a lock says of a request that leaves. */
export function movingValue({from, to, order, isBack, entry, digest, objects}: MovingRequest): JsonObject {
  return {
    ...{from, to, order},
    ...(isBack ? {back: true} : {}),
    ...present({package: entry?.package, name: entry?.name, digest}),
    objects,
  }
}
