import {CrossplaneError} from '../../errors.js'
import type {IndexedSummary} from '../../index/entry/entry-document.js'
import {YANK_REASON} from '../../index/entry/entry-document.js'
import {versionKey} from '../../index/joined-index.js'
import {registryIndex} from '../../index/registry/registry-index.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {formatRepository} from '../../reference/repository.js'
import {identityOf} from '../../reference/repository-name.js'
import {remoteName} from './add-to-index.js'
import {groupsOf} from './import-index.js'
import {type IndexTarget, type IndexTargetPorts, openWriter} from './index-target.js'

/** The result of a yank. */
export interface YankReport {
  /** The root of the index. */
  readonly index: string
  readonly package: string
  readonly tag: string
  readonly version: string
  readonly digest: string
  /** The reason in the index: that of the first yank. */
  readonly reason: string
  readonly state: 'added' | 'present'
}

export interface YankQuery {
  /** With a tag or a digest. */
  readonly reference: string
  readonly reason: string
}

type YankPorts = IndexTargetPorts & {readonly defaultSource?: string}

/**
 * Yanks one version in an index, in all of its entries: of a tag with several digests, the one that the reference names. Throws `usage` for an
 * ambiguous reference and an invalid reason, `not-found` for a version that the index does not have, and as reading and
 * writing it do.
 */
export async function yankVersion(
  {reference, reason}: YankQuery,
  {root}: Pick<IndexTarget, 'root'>,
  ports: YankPorts,
): Promise<YankReport> {
  if (!YANK_REASON.is(reason)) {
    throw new CrossplaneError('usage', `--reason must be ${YANK_REASON.words}`)
  }
  const name = remoteName(reference, ports.defaultSource)
  const identity = identityOf(name)
  if (name.tag === undefined && name.digest === undefined) throw severalMeant(name)
  const registry = await ports.registry(root.registry)
  const content = await registryIndex(root, {registry, report: ports.report}).ofPackage(identity)
  const entries = entriesOf(name, content.summaries.filter(hasDigest), formatRepository(root))
  // The layout is that of the existing index.
  const writer = await openWriter({root, layout: 'repositories'}, ports)
  const [{tag, version, digest}] = entries
  let reported = reason
  let state: YankReport['state'] = 'present'
  for (const entry of entries) {
    const earlier = content.yanked.find(yankedVersion => versionKey(yankedVersion) === versionKey(entry))
    const yanked = earlier ?? {identity, tag, version: entry.version, digest, reason}
    reported = yanked.reason
    if ((await writer.yank(yanked, groupsOf(entry))) === 'added') state = 'added'
  }
  return {
    index: formatRepository(root),
    ...{package: identity, tag, version, digest, reason: reported, state},
  }
}

function hasDigest(summary: {readonly digest?: string}): summary is IndexedSummary {
  return summary.digest !== undefined
}

/**
 * Returns the entries of one version, at least one. Entries for the same bytes can state different versions, of which all but one are
 * wrong; a yank is about the bytes.
 */
function entriesOf(
  name: ImageName,
  summaries: readonly IndexedSummary[],
  index: string,
): readonly [IndexedSummary, ...IndexedSummary[]] {
  const matching = summaries.filter(
    ({tag, digest}) =>
      (name.tag === undefined || tag === name.tag) && (name.digest === undefined || digest === name.digest),
  )
  const [first, ...others] = matching
  if (first === undefined) {
    throw new CrossplaneError('not-found', `${formatImageName(name)} is not in the index ${index}`, {
      suggestions: [`kubectl crossplane registry index list --index ${index}`],
    })
  }
  if (others.some(({tag, digest}) => tag !== first.tag || digest !== first.digest))
    throw severalMeant(name, matching)
  return [first, ...others]
}

function severalMeant(name: ImageName, matching: readonly IndexedSummary[] = []): CrossplaneError {
  const text = formatImageName(name)
  const distinct = new Set(matching.map(({identity, tag, digest}) => `${identity}:${tag}@${digest}`))
  const message =
    distinct.size === 0
      ? `${text} has no tag: one version is yanked at a time`
      : `${text} has ${distinct.size} entries with different digests`
  return new CrossplaneError('usage', message, {
    suggestions:
      distinct.size === 0 ? [`Write ${text}:TAG`] : [...distinct].map(reference => `Write ${reference}`),
  })
}
