import type {JsonObject} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import type {InventoriedInstall, Inventory, Revision, RevisionContent} from './inventory.js'

/** The number of revisions that an inventory keeps, as helm does. */
export const MAX_REVISIONS = 10
/** Together, revisions take at most a third of one ConfigMap of an inventory. */
const MAX_REVISION_BYTES = 8 * 1024

/** The revisions of an install once it has changed; those before if its state is the same. */
export function revisionsAfter(
  before: Inventory | undefined,
  install: InventoriedInstall,
): readonly Revision[] | undefined {
  const present = contentOf(install)
  if (before === undefined || before.revisions?.length === 0) return [presentRevision(install)]
  const kept = before.revisions ?? [presentRevision(before.install)]
  if (isSameState(contentOf(before.install), present)) return before.revisions
  const last = kept.at(-1)?.number ?? 0
  return [...kept, {number: last + 1, ...bounded(present)}].slice(-MAX_REVISIONS)
}

/** Inventories of earlier versions of this program have no hash of the files. */
function isSameState(before: RevisionContent, present: RevisionContent): boolean {
  const {package: installed} = present
  const isOld = before.package?.filesHash === undefined && installed !== undefined
  const compared = isOld ? {...present, package: {...installed, filesHash: undefined}} : present
  return textOf(before) === textOf(compared)
}

/** The present state of an install whose inventory has no revisions. */
export function presentRevision(install: InventoriedInstall): Revision {
  return {number: 1, ...bounded(contentOf(install))}
}

/** The author of a revision. */
export type RevisionAuthor = Pick<Revision, 'time' | 'user'>

/** Returns revisions without their authors, which are only known once a plan is applied. */
export function withoutAuthors(revisions: readonly Revision[]): readonly Revision[] {
  return revisions.map(({time: _time, user: _user, ...revision}) => revision)
}

/** Reports whether an inventory has a revision that the one before it does not have. */
export function hasNewRevision({revisions = []}: Inventory, before: Inventory | undefined): boolean {
  return (revisions.at(-1)?.number ?? 0) > lastNumber(before)
}

/** Adds the authors of the revisions that an inventory had before, and the author of the new one. */
export function withAuthors(
  inventory: Inventory,
  before: Inventory | undefined,
  author: RevisionAuthor | undefined,
): Inventory {
  const {revisions} = inventory
  if (revisions === undefined) return inventory
  const byNumber = new Map(before?.revisions?.map(({number, time, user}) => [number, {time, user}]))
  const isNew = hasNewRevision(inventory, before)
  const authorOf = ({number}: Revision) =>
    isNew && number === revisions.at(-1)?.number ? author : byNumber.get(number)
  return {...inventory, revisions: revisions.map(revision => ({...revision, ...authorOf(revision)}))}
}

function lastNumber(inventory: Inventory | undefined): number {
  if (inventory === undefined || inventory.revisions?.length === 0) return 0
  return inventory.revisions?.at(-1)?.number ?? 1
}

function contentOf({
  era,
  scope,
  package: installed,
  pin,
  request,
  settings,
}: InventoriedInstall): RevisionContent {
  return {era, scope, package: installed, pin, request, settings}
}

/** A revision that is too large keeps only its package. */
function bounded(content: RevisionContent): Omit<Revision, 'number'> {
  if (Buffer.byteLength(textOf(content)) <= MAX_REVISION_BYTES) return content
  const {era, scope, package: installed} = content
  return {era, scope, package: installed, isPartial: true}
}

function textOf(content: RevisionContent): string {
  return writeJson(JSON.parse(JSON.stringify(content)) as JsonObject)
}
