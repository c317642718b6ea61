import {judgedXpkgCrds} from '../../inspect/policy/planned-xpkg-crds.js'
import {unknownDelta} from '../../inspect/policy/crd-delta.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {isPackageRequest} from '../../plan/cluster/state/core-state.js'
import {packageLosses} from '../../plan/git/judge-xpkgs.js'
import {documentsIn} from '../../plan/folder/object-in-file.js'
import {present} from '../../present.js'
import {parseImageName} from '../../reference/image-name.js'
import {repositoryName} from '../../reference/repository-name.js'
import {locatedXpkgs} from '../../resolve/xpkg/located-xpkgs.js'
import {asObject, asObjects, asText, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {changedSet, filesOfSelected, type FormerXpkg, rememberingStored} from './changed-set.js'
import type {LockedXpkg} from '../../declaration/lock.js'
import type {TreeReview} from '../rendered-sets.js'
import type {XpkgClosure} from './closure.js'

/** What a tree is rendered from. */
export interface TreeChange {
  readonly closure: Pick<XpkgClosure, 'packages' | 'names' | 'roots'>
  /** Has the versions in which objects can be stored. */
  readonly locked: readonly LockedXpkg[]
  readonly coreVersion?: string
}

/**
 * Reviews packages that get other versions, or other content, by a change of a tree: reads what the tree has.
 * @param before - the texts of its files, by path.
 * @param reviewed - the repositories of packages that are reviewed elsewhere.
 */
export async function treeReview(
  before: ReadonlyMap<string, string>,
  {closure, locked, coreVersion}: TreeChange,
  ports: PackagePorts,
  reviewed: ReadonlySet<string> = new Set(),
): Promise<TreeReview> {
  const requests = [...before].filter(([, text]) => text.includes('pkg.crossplane.io/'))
  const read = requests.map(([path, text]) => ({path, documents: documentsIn(text)}))
  const objects = read.flatMap(({path, documents = []}) =>
    documents.filter(isJsonObject).map(object => ({path, object})),
  )
  const former = formerIn(objects, closure.names)
    .filter(({repository}) => !reviewed.has(repository))
    .map(one => ({
      ...one,
      more: locked.find(({repository}) => repository === one.repository)?.more ?? {},
    }))
  const set = await changedSet(former, closure, locatedXpkgs(ports), coreVersion)
  const unreadable = read.flatMap(({path, documents}) =>
    documents === undefined ? [unknownDelta(path)] : [],
  )
  const losses = packageLosses(set).flatMap(({repository, ...loss}) =>
    former.flatMap(one => (one.repository === repository ? [{path: one.path, ...loss}] : [])),
  )
  const xpkgs = {set, filesOf: filesOfSelected(closure, ports)}
  return {
    ...{crds: [...judgedXpkgCrds(set.changes), ...unreadable], losses, xpkgs, unreadable},
    remembering: lock => rememberingStored(lock, set),
  }
}

/** An object in a file of a tree. */
interface FileObject {
  readonly path: string
  readonly object: JsonObject
}

/** A package of a tree, in the file that names its version. */
type FormerInFile = Omit<FormerXpkg, 'more'> & {readonly path: string}

/**
 * Returns the packages that files request, with the digests of their ImageConfigs. The file of a request stays as it is
 * where only the content of its tag changes: then that of the ImageConfig names the package.
 */
function formerIn(
  objects: readonly FileObject[],
  names: TreeChange['closure']['names'],
): readonly FormerInFile[] {
  const pinned = objects.flatMap(one => pinnedIn(one))
  const requested = objects.flatMap(one => requestedIn(one))
  const isSame = (one: FormerInFile) => (other: FormerInFile) =>
    one.repository === other.repository && one.tag === other.tag
  const withDigests = requested.map(one => ({...pinned.find(isSame(one)), ...one}))
  const others = pinned
    .filter(one => !requested.some(isSame(one)))
    .map(one => ({...one, ...present({name: names.get(one.repository)})}))
  return [...withDigests, ...others]
}

/** The package whose tag an ImageConfig rewrites to a digest, if the object is one. */
function pinnedIn({path, object: {kind, spec}}: FileObject): readonly FormerInFile[] {
  if (kind !== 'ImageConfig') return []
  const {matchImages, rewriteImage} = asObject(spec)
  const name = parseImageName(asText(asObjects(matchImages)[0]?.prefix))
  const digest = parseImageName(asText(asObject(rewriteImage).prefix))?.digest
  if (name?.tag === undefined || digest === undefined) return []
  return [{path, repository: repositoryName(name), tag: name.tag, digest}]
}

/** The package that a request names, if the object is one. */
function requestedIn({path, object}: FileObject): readonly FormerInFile[] {
  const {apiVersion, kind, metadata, spec} = object
  if (!isPackageRequest({apiVersion: asText(apiVersion), kind: asText(kind)})) return []
  const name = parseImageName(asText(asObject(spec).package))
  if (name === undefined) return []
  return [
    {
      ...{path, repository: repositoryName(name), name: asText(asObject(metadata).name)},
      ...present({tag: name.tag, digest: name.digest}),
    },
  ]
}
