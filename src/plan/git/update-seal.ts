import {sha256Of} from '../sha256.js'

/** A commit object of Git. */
export interface CommitObject {
  readonly tree: string
  readonly parents: readonly string[]
  /** The author, as `NAME <EMAIL> SECONDS ZONE`. */
  readonly author: string
  readonly isSigned: boolean
  readonly message: string
}

/** The trailer with the hash of what an update was made of. */
const TRAILER = /^Crossplane-Update: sha256:([0-9a-f]{64})$/m

/** Reads a commit as `git cat-file commit` prints it. */
export function readCommitObject(text: string): CommitObject {
  const end = text.indexOf('\n\n')
  const headers = (end === -1 ? text : text.slice(0, end)).split('\n')
  const values = (name: string) =>
    headers.flatMap(line => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))
  return {
    tree: values('tree')[0] ?? '',
    parents: values('parent'),
    author: values('author')[0] ?? '',
    isSigned: values('gpgsig').length > 0 || values('gpgsig-sha256').length > 0,
    message: end === -1 ? '' : text.slice(end + 2),
  }
}

/** Returns the message with the trailer that seals the files and the parent of a commit, as the last one. */
export function sealedMessage(commit: CommitObject): string {
  return `${commit.message.trimEnd()}\nCrossplane-Update: sha256:${sealOf(commit)}\n`
}

/**
 * Reports whether a commit is as this program made it: with another file, parent or message, or on top of other commits, a user
 * changed it. Anyone can compute the hash: it shows whose commit it is, and not whether its files are right.
 */
export function isSealed(commit: CommitObject): boolean {
  const [, seal] = TRAILER.exec(commit.message) ?? []
  if (seal === undefined || commit.parents.length !== 1) return false
  const {message} = commit
  const start = message.lastIndexOf('\nCrossplane-Update: ')
  return (
    seal === sealOf({...commit, message: message.slice(0, start)}) &&
    message === sealedMessage({...commit, message: message.slice(0, start)})
  )
}

/** Reports whether two commits have the same files, parent and message. */
export function isSameCommit(one: CommitObject, other: CommitObject): boolean {
  return (
    one.tree === other.tree && one.parents.join() === other.parents.join() && one.message === other.message
  )
}

function sealOf({tree, parents, message}: CommitObject): string {
  return sha256Of(JSON.stringify([tree, parents, message.trimEnd()]))
}
