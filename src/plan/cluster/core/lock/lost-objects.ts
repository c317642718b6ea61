import type {CoreRequest, CoreState} from '../../state/core-state.js'

/** An object that packages bring, with the objects that keep it from being collected. */
export interface OwnedObject {
  readonly kind: string
  readonly name: string
  readonly uid: string
  /** The UIDs of its owners. */
  readonly owners: readonly string[]
  /** The UID of the owner that controls it. */
  readonly controller?: string
}

/**
 * Returns the objects of packages that Kubernetes deletes together with requests: those of which no owner is left. An owner
 * that is neither a request, a revision nor such an object counts as gone.
 */
export function lostObjects(
  removed: readonly CoreRequest[],
  {requests, revisions}: Pick<CoreState, 'requests' | 'revisions'>,
  owned: readonly OwnedObject[],
): readonly OwnedObject[] {
  const isRemoved = (kind: string, name: string) =>
    removed.some(other => other.kind === kind && other.name === name)
  const isLeft = ({kind, name, isTerminating}: Pick<CoreRequest, 'kind' | 'name' | 'isTerminating'>) =>
    !isTerminating && !isRemoved(kind, name)
  // A revision goes with its request.
  const isOfRemoved = (kind: string, request: string) =>
    isRemoved(kind, request) ||
    requests.some(one => one.kind === kind && one.name === request && !isLeft(one))
  const left = new Set(
    [
      ...requests.filter(isLeft),
      ...revisions.filter(({kind, request, isTerminating}) => !isTerminating && !isOfRemoved(kind, request)),
      ...owned,
    ].map(({uid}) => uid),
  )
  const lost = new Set<OwnedObject>()
  for (;;) {
    const next = owned.filter(object => !lost.has(object) && !object.owners.some(uid => left.has(uid)))
    if (next.length === 0) return ofRemoved([...lost], removed, revisions, owned)
    for (const object of next) {
      lost.add(object)
      left.delete(object.uid)
    }
  }
}

/** Without those that have nothing to do with the requests: they are owned by other kinds of objects. */
function ofRemoved(
  lost: readonly OwnedObject[],
  removed: readonly CoreRequest[],
  revisions: CoreState['revisions'],
  owned: readonly OwnedObject[],
): readonly OwnedObject[] {
  const own = new Set(removed.flatMap(request => ownerUids(request, revisions)))
  for (let size = -1; size !== own.size;) {
    size = own.size
    for (const {uid, owners} of owned) if (owners.some(owner => own.has(owner))) own.add(uid)
  }
  return lost.filter(({uid}) => own.has(uid))
}

/** Returns the UIDs of a request and its revisions. */
export function ownerUids(
  {kind, name, uid}: CoreRequest,
  revisions: CoreState['revisions'],
): readonly string[] {
  const own = revisions.filter(revision => revision.kind === kind && revision.request === name)
  return [uid, ...own.map(revision => revision.uid)]
}
