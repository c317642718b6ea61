import type {Checkout, CommitFacts} from '../../commit/checkout.js'
import type {ObjectDrift, TreeChange} from '../../health/sides/sided-object.js'
import {isApplier} from '../../health/sides/field-managers.js'
import {type Place, partAt} from '../../health/sides/place.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {treeFiles} from './tree-files.js'

/** The maximum numbers of commits of a file and of objects that are looked at. */
const MAX_COMMITS = 100
const MAX_OBJECTS = 200

type History = Pick<Checkout, 'commitsOf' | 'contentIn'>

/** Adds the commits since which the tree has the values that differ. */
export async function withCommits(
  drift: readonly ObjectDrift[],
  history: History,
): Promise<readonly ObjectDrift[]> {
  const dated: ObjectDrift[] = []
  for (const [index, object] of drift.entries()) {
    dated.push(index < MAX_OBJECTS ? await dateObject(object, history) : object)
  }
  return dated
}

async function dateObject(object: ObjectDrift, history: History): Promise<ObjectDrift> {
  const {path, name} = object
  if (path === undefined || !object.differences.some(isOfTree)) return object
  const versions = new FileVersions(path, name, history, await history.commitsOf([path], MAX_COMMITS))
  const differences = []
  for (const difference of object.differences) {
    const tree = isOfTree(difference) ? await versions.since(difference.place) : undefined
    differences.push(tree === undefined ? difference : {...difference, tree})
  }
  return {...object, differences}
}

/** The tree changed, or the cluster has not followed it; what others changed in the cluster has no commit. */
function isOfTree({differs, managers}: ObjectDrift['differences'][number]): boolean {
  return differs.includes('tree') || managers.some(({manager}) => isApplier(manager))
}

/** The versions of one object in the commits of its file, newest first; each is read at most once. */
class FileVersions {
  readonly #path: string
  readonly #name: ObjectName
  readonly #history: History
  readonly #commits: readonly CommitFacts[]
  readonly #objects = new Map<string, KubernetesObject | undefined>()

  constructor(path: string, name: ObjectName, history: History, commits: readonly CommitFacts[]) {
    this.#path = path
    this.#name = name
    this.#history = history
    this.#commits = commits
  }

  /** Returns the commit since which a part has its present value; undefined for a file without commits. */
  async since(place: Place): Promise<TreeChange | undefined> {
    const [newest, ...earlier] = this.#commits
    if (newest === undefined) return undefined
    const present = this.#valueIn(await this.#objectIn(newest), place)
    let since = newest
    for (const commit of earlier) {
      if (!jsonEqual(this.#valueIn(await this.#objectIn(commit), place), present)) {
        return {commit: since, isFirst: false}
      }
      since = commit
    }
    return {commit: since, isFirst: true}
  }

  /** Of a whole object, only whether it exists. */
  #valueIn(object: KubernetesObject | undefined, place: Place) {
    return place.length === 0 ? object !== undefined : partAt(object, place)
  }

  async #objectIn({id}: CommitFacts): Promise<KubernetesObject | undefined> {
    if (!this.#objects.has(id)) this.#objects.set(id, await this.#read(id))
    return this.#objects.get(id)
  }

  async #read(id: string): Promise<KubernetesObject | undefined> {
    const content = await this.#history.contentIn(id, this.#path)
    if (content === undefined) return undefined
    const {objects} = treeFiles(new Map([[this.#path, content]]))
    const key = objectKey(this.#name)
    return objects.find(({object}) => objectKey(nameOf(object)) === key)?.object
  }
}
