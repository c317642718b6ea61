import {groupOf, type ResourceKind} from 'kubectl-crossplane/plugin'

/** Whether both are of one kind, in any version. */
export function isSameKind(a: ResourceKind, b: ResourceKind): boolean {
  return a.kind === b.kind && groupOf(a.apiVersion) === groupOf(b.apiVersion)
}

/** `FavouriteDBInstance.fcp.example.org`; `Secret` for the core group. */
export function kindText({apiVersion, kind}: ResourceKind): string {
  const group = groupOf(apiVersion)
  return group === '' ? kind : `${kind}.${group}`
}
