import {CrossplaneError} from '../../errors.js'
import type {IndexedSummary} from '../../index/entry/entry-document.js'
import {YANK_REASON} from '../../index/entry/entry-document.js'
import {versionKey} from '../../index/joined-index.js'
import {registryIndex} from '../../index/registry/registry-index.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {formatRepository, repositoryOf} from '../../reference/repository.js'
import {remoteName} from './add-to-index.js'
import {groupsOf} from './import-index.js'
import {type IndexTarget, type IndexTargetPorts, openWriter} from './index-target.js'

/** What is withdrawn now. */
export interface YankReport {
  /** The root of the index. */
  readonly index: string
  readonly package: string
  readonly tag: string
  readonly version: string
  readonly digest: string
  /** The reason that the index gives: who withdrew it first has said it. */
  readonly reason: string
  readonly state: 'added' | 'present'
}

export interface YankQuery {
  /** With a tag or digest. */
  readonly reference: string
  readonly reason: string
}

type YankPorts = IndexTargetPorts & {readonly defaultSource?: string}

/**
 * Says in an index that a version is no longer to be chosen. Throws `usage` for a reference that may mean several, or a
 * reason that is none, `not-found` for what the index does not have, and as reading and writing it do.
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
  const identity = formatRepository(repositoryOf(name))
  if (name.tag === undefined && name.digest === undefined) throw severalMeant(name)
  const registry = await ports.registry(root.registry)
  const report = ports.report === undefined ? {} : {report: ports.report}
  const found = await registryIndex(root, {registry, ...report}).ofPackage(identity)
  const version = onlyVersion(name, found.summaries.filter(hasDigest), formatRepository(root))
  const {tag, version: text, digest} = version
  const earlier = found.yanked.find(each => versionKey(each) === versionKey(version))
  const yanked = earlier ?? {identity, tag, version: text, digest, reason}
  // The index has the layout that it began with; only who begins one says which.
  const writer = await openWriter({root, layout: 'repositories'}, ports)
  const state = await writer.yank(yanked, groupsOf(version))
  return {
    index: formatRepository(root),
    ...{package: identity, tag, version: text, digest, reason: yanked.reason, state},
  }
}

function hasDigest(summary: {readonly digest?: string}): summary is IndexedSummary {
  return summary.digest !== undefined
}

function onlyVersion(name: ImageName, summaries: readonly IndexedSummary[], index: string): IndexedSummary {
  const meant = summaries.filter(
    ({tag, digest}) =>
      (name.tag === undefined || tag === name.tag) && (name.digest === undefined || digest === name.digest),
  )
  const [only, ...others] = meant
  if (only === undefined) {
    throw new CrossplaneError('not-found', `${formatImageName(name)} is not in the index ${index}`, {
      suggestions: ['registry index list shows what it has.'],
    })
  }
  if (others.length > 0) throw severalMeant(name, meant)
  return only
}

function severalMeant(name: ImageName, meant: readonly IndexedSummary[] = []): CrossplaneError {
  const text = formatImageName(name)
  const message =
    meant.length === 0
      ? `${text} names no version, and one is withdrawn at a time`
      : `${text} is there ${meant.length} times with different bytes or versions`
  return new CrossplaneError('usage', message, {
    suggestions:
      meant.length === 0
        ? [`Write ${text}:TAG.`]
        : meant.map(({identity, tag, digest}) => `Write ${identity}:${tag}@${digest}`),
  })
}
