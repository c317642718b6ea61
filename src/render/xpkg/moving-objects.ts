import type {MovingRequest} from '../../declaration/moving.js'
import {keptPackage} from '../../declaration/moving-objects.js'
import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import {parseImageName} from '../../reference/image-name.js'
import type {Mirrors} from '../../reference/mirrors.js'
import {repositoryName} from '../../reference/repository-name.js'
import {escaped} from '../../text.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import {mirrorImageConfigs, mirrorOfRepository} from './mirror-image-configs.js'
import {inStages} from './render-xpkgs.js'
import type {XpkgSet, XpkgSetObject} from './xpkg-set.js'

/** Returns what stays of requests from which packages move: in the first stage, whose health no other one waits for. */
export function movingObjects(moving: readonly MovingRequest[]): readonly XpkgSetObject[] {
  return moving.flatMap(({from, objects}) =>
    objects.map(object => ({stage: 0, object, ...(object.kind === 'ImageConfig' ? {fileName: from} : {})})),
  )
}

/** Adds objects to a set; those that it has itself stay as they are. */
export function withObjects<Set extends XpkgSet>(set: Set, added: readonly XpkgSetObject[]): Set {
  if (added.length === 0) return set
  const own = new Set(set.objects.map(keyOf))
  return {...set, objects: [...set.objects, ...added.filter(one => !own.has(keyOf(one)))].sort(inStages)}
}

function keyOf({object}: XpkgSetObject): string {
  return objectKey(nameOf(object))
}

/** A package from which a request moves, as that names it. */
interface MovingPackage {
  readonly repository: string
  readonly version: string
  readonly digest?: string
}

/** Returns the package of a request that stays; undefined for one without a version. */
export function movingPackage({objects, digest}: MovingRequest): MovingPackage | undefined {
  const image = parseImageName(keptPackage(objects))
  const version = image?.tag ?? image?.digest
  if (image === undefined || version === undefined) return undefined
  return {repository: repositoryName(image), version, ...(digest === undefined ? {} : {digest})}
}

/**
 * Throws `input-invalid` for an ImageConfig that has Crossplane read a package from a place that the declaration does not name: a lock
 * decides about no sources.
 */
export function expectDeclaredSources(moving: readonly MovingRequest[], mirrors: Mirrors): void {
  for (const {from, digest, objects} of moving) {
    const reference = keptPackage(objects)
    const image = parseImageName(reference)
    if (image === undefined) continue
    const repository = repositoryName(image)
    const source = mirrorOfRepository(repository, mirrors) ?? repository
    const declared = new Set([
      rewriteText(reference, `${source}@${digest ?? ''}`),
      ...mirrorImageConfigs([{selected: {repository}, reference}], mirrors).map(rewriteOf),
    ])
    const other = objects.find(object => object.kind === 'ImageConfig' && !declared.has(rewriteOf(object)))
    if (other !== undefined) throw otherSource(from, other)
  }
}

function rewriteOf({spec}: KubernetesObject): string {
  const {matchImages, rewriteImage} = asObject(spec)
  return rewriteText(asText(asObjects(matchImages)[0]?.prefix), asText(asObject(rewriteImage).prefix))
}

function rewriteText(from: string, to: string): string {
  return JSON.stringify([from, to])
}

function otherSource(from: string, {metadata, spec}: KubernetesObject): CrossplaneError {
  const to = asText(asObject(asObject(spec).rewriteImage).prefix)
  const message = `cannot use what the lock keeps of ${escaped(from)}: ImageConfig ${escaped(metadata.name)} has its package read from ${escaped(to)}, which the declaration does not`
  return new CrossplaneError('input-invalid', message, {
    suggestions: ['Restore the lock and the registries of the declaration from version control.'],
  })
}
