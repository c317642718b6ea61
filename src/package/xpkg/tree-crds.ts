import {judgedXpkgCrds} from '../../inspect/policy/planned-xpkg-crds.js'
import {unknownDelta} from '../../inspect/policy/crd-delta.js'
import type {JudgedCrdChange} from '../../inspect/policy/judged-plan.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {isPackageRequest} from '../../plan/cluster/core/core-state.js'
import {documentsIn} from '../../plan/folder/object-in-file.js'
import {present} from '../../present.js'
import {parseImageName} from '../../reference/image-name.js'
import {repositoryName} from '../../reference/repository-name.js'
import {locatedXpkgs} from '../../resolve/xpkg/located-xpkgs.js'
import {asObject, asText, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {changedSet, type FormerXpkg} from './changed-set.js'
import type {LockedXpkg} from '../../declaration/lock.js'
import type {XpkgClosure} from './closure.js'

/** What a tree is rendered from. */
interface TreeChange {
  readonly closure: Pick<XpkgClosure, 'packages' | 'names'>
  /** Has the versions in which objects can be stored. */
  readonly locked: readonly LockedXpkg[]
  readonly coreVersion?: string
}

/**
 * Returns how the CRDs of packages change whose requests in a tree get other versions: reads the versions that the tree has.
 * @param before - the texts of its files, by path.
 */
export async function treeCrds(
  before: ReadonlyMap<string, string>,
  {closure, locked, coreVersion}: TreeChange,
  ports: PackagePorts,
): Promise<readonly JudgedCrdChange[]> {
  const requests = [...before].filter(([, text]) => text.includes('pkg.crossplane.io/'))
  const read = requests.map(([path, text]) => ({path, documents: documentsIn(text)}))
  const former = read
    .flatMap(({documents = []}) => documents.filter(isJsonObject).flatMap(requestedIn))
    .map(one => ({...one, more: locked.find(({repository}) => repository === one.repository)?.more ?? {}}))
  const {changes} = await changedSet(former, closure, locatedXpkgs(ports), coreVersion)
  const unreadable = read.flatMap(({path, documents}) =>
    documents === undefined ? [unknownDelta(path)] : [],
  )
  return [...judgedXpkgCrds(changes), ...unreadable]
}

/** The package that a request names, if the object is one. */
function requestedIn(object: JsonObject): readonly Omit<FormerXpkg, 'more'>[] {
  const {apiVersion, kind, spec} = object
  if (!isPackageRequest({apiVersion: asText(apiVersion), kind: asText(kind)})) return []
  const name = parseImageName(asText(asObject(spec).package))
  if (name === undefined) return []
  return [{repository: repositoryName(name), ...present({tag: name.tag, digest: name.digest})}]
}
