import type {Diagnostic} from '../../diagnostic.js'
import {present} from '../../present.js'
import {compareVersions, isNewer, isStable} from '../../reference/newest-version.js'
import {escaped} from '../../text.js'
import type {YankedVersion} from '../../index/summaries.js'
import type {NamedXpkg, XpkgRepository, XpkgRoot} from './xpkg-catalog.js'

/** What was read, by repository. */
export type Repositories = ReadonlyMap<string, XpkgRepository>

/** A newer version than the selected one that could not be selected, and why. */
export interface PassedOver {
  readonly repository: string
  readonly version: string
  readonly selected: string
  readonly reason: string
}

/** Lists the newer versions of selected packages that cannot be read, or that require what cannot be read. */
export function passedOver(
  packages: readonly NamedXpkg[],
  repositories: Repositories,
): readonly PassedOver[] {
  return packages.flatMap(({repository, version: selected}) =>
    [...(repositories.get(repository)?.contents ?? [])].flatMap(([version, content]) => {
      if (version === selected || compareVersions(version, selected) >= 0) return []
      if ('reason' in content) return [{repository, version, selected, reason: content.reason}]
      const missing = content.value.dependencies.flatMap(({package: name}) => {
        const tags = repositories.get(name)?.tags
        return tags !== undefined && 'reason' in tags
          ? [`it requires ${name}, which cannot be read: ${tags.reason}`]
          : []
      })
      return missing.slice(0, 1).map(reason => ({repository, version, selected, reason}))
    }),
  )
}

/** Warns of each version for which another one was selected. */
export function passedOverWarnings(passed: readonly PassedOver[]): readonly Diagnostic[] {
  return passed.map(({repository, version, selected, reason}) => ({
    severity: 'warning',
    rule: 'version-passed-over',
    message: `${repository}:${version} was passed over, and ${selected} is selected: ${reason}`,
    subject: {package: repository, tag: version},
  }))
}

/** Finds the yank of a version; one of other bytes under its tag is another one. */
export function yankOf(
  version: {readonly tag?: string; readonly digest?: string},
  yanked: readonly YankedVersion[] = [],
): YankedVersion | undefined {
  return yanked.find(
    ({tag, digest}) => tag === version.tag && (version.digest === undefined || version.digest === digest),
  )
}

/** Notes the selected versions that were yanked, which only the lock or a request keeps, and newer ones that a yank excludes. */
export function yankedNotes(
  packages: readonly (NamedXpkg & {readonly digest?: string})[],
  roots: readonly XpkgRoot[],
  yanked: ReadonlyMap<string, readonly YankedVersion[]>,
): readonly Diagnostic[] {
  return packages.flatMap(({repository, version: tag, digest}) => {
    const all = yanked.get(repository) ?? []
    const newer = all.filter(yank => isStable(yank.tag) && isNewer(yank.tag, tag))
    // Several indexes can have it.
    const byTag = new Map(newer.map(yank => [yank.tag, yank.reason]))
    const excluded = [...byTag].map(([other, reason]) =>
      yankNote(repository, other, `is not selected: it was yanked: ${escaped(reason)}`),
    )
    const own = yankOf({tag, ...present({digest})}, all)
    if (own === undefined) return excluded
    const isRequested = roots.some(root => root.repository === repository && root.version === tag)
    const message = `is ${isRequested ? 'requested' : 'locked'} but was yanked: ${escaped(own.reason)}`
    return [yankNote(repository, tag, message), ...excluded]
  })
}

function yankNote(repository: string, tag: string, message: string): Diagnostic {
  return {
    severity: 'note',
    rule: 'yanked-version',
    message: `${repository}:${escaped(tag)} ${message}`,
    subject: {package: repository, tag},
  }
}
