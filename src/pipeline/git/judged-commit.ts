import type {OwnedFiles} from '../../plan/folder/folder-snapshot.js'
import type {ChangedTree} from '../../plan/git/tree-change.js'
import type {NotedSet} from '../../package/rendered-sets.js'
import type {ChangedXpkgSet} from '../../package/xpkg/changed-set.js'

/** The rendered tree of a commit, and what the working tree has of it. */
export interface NewTree extends ChangedTree {
  readonly set: NotedSet
  /** The current contents of files that change, by path in the tree. */
  readonly texts: ReadonlyMap<string, string>
  /** Its managed files in HEAD. */
  readonly owned: OwnedFiles
}

/** A commit whose effect on custom resources is judged. */
export interface JudgedCommit {
  readonly tree: NewTree
  /** The files that change or are deleted, as HEAD has them. */
  readonly before: ReadonlyMap<string, string>
  /** How the packages for a current Crossplane change. */
  readonly xpkgs?: ChangedXpkgSet
}
