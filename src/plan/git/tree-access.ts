import type {Discovery} from '../../cluster/api/discovery.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {groupOf} from '../../kubernetes/object-key.js'
import {pluralOf} from '../../render/era.js'
import {instanceList, type NeededAccess} from '../cluster/access/needed-access.js'
import {packageAccess} from '../cluster/access/read-access.js'
import {crdNames, type TreeChange} from './judge-tree-change.js'

/** Returns the permissions to read what judging the change of a tree can require. */
export function treeAccess(change: TreeChange, discovery: Discovery): NeededAccess {
  const served = new Set(discovery.resources.map(({plural, group}) => `${plural}.${group}`))
  const names = crdNames(change)
  const {reviews, ...others} = packageAccess(discovery)
  const crds = {verb: 'get', group: groupOf(CRD_KIND.apiVersion), resource: pluralOf(CRD_KIND.kind)}
  return {
    ...others,
    reviews: [
      ...reviews,
      ...names.map(name => ({...crds, name})),
      ...names.filter(name => served.has(name)).map(name => instanceList({name})),
    ],
  }
}
