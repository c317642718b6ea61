import type {Diagnostic} from '../../diagnostic.js'
import {listSome} from '../../text.js'
import type {Closure, ClosurePackage} from './closure.js'
import {isSince, SINCE} from '../../xpkg/core-release.js'
import type {PinnedPackage} from './pinned-package.js'
import {pinOf, type XpkgSettings} from './xpkg-settings.js'

/** Reports what Crossplane gets wrong with a set although it is correct. */
export function setWarnings(
  {packages, tags}: Closure,
  pinned: readonly PinnedPackage[],
  settings: XpkgSettings,
): readonly Diagnostic[] {
  const isNew = isSince(settings.coreVersion, SINCE.newRules)
  const isPinned = ({selected}: PinnedPackage) => pinOf(selected.repository, settings) !== 'tag'
  return [
    ...unpinned(pinned.filter(isPinned)),
    ...(isNew ? sharedCacheEntries(packages) : []),
    ...pinned.flatMap(one => longerTags(one, tags?.get(one.selected.repository) ?? [])),
    ...(isNew ? objectsOfFunctions(packages) : []),
  ]
}

function warning(rule: string, {repository}: ClosurePackage, message: string): Diagnostic {
  return {severity: 'warning', rule, message, subject: {package: repository}}
}

function unpinned(pinned: readonly PinnedPackage[]): readonly Diagnostic[] {
  const names = pinned
    .filter(({reference, rewrittenTo}) => rewrittenTo === undefined && !reference.includes('@'))
    .map(({reference}) => reference)
  if (names.length === 0) return []
  const message = `${listSome(names)} ${names.length === 1 ? 'is' : 'are'} not pinned: the digest is unknown, because the package is read from a folder or an archive of Docker`
  return [{severity: 'warning', rule: 'xpkg-not-pinned', message}]
}

const CACHED_NAME = 50
const CACHED_DIGEST = 'sha256:'.length + 5

/** The cache of Crossplane 2.3 has one entry for images that agree in these parts, and installs the first for both. */
function sharedCacheEntries(packages: readonly ClosurePackage[]): readonly Diagnostic[] {
  const first = new Map<string, ClosurePackage>()
  return packages.flatMap(selected => {
    if (selected.digest === undefined) return []
    const key = `${selected.repository.slice(0, CACHED_NAME)} ${selected.digest.slice(0, CACHED_DIGEST)}`
    const other = first.get(key)
    if (other === undefined || other.digest === selected.digest) {
      first.set(key, selected)
      return []
    }
    const message = `${selected.repository} and ${other.repository} agree in the first ${CACHED_NAME} characters and in the first five digits of their digests: Crossplane installs the content of one for both`
    return [warning('xpkg-shared-cache', selected, message)]
  })
}

/** An ImageConfig is for all references that begin as its own. */
function longerTags({selected, rewrittenTo}: PinnedPackage, tags: readonly string[]): readonly Diagnostic[] {
  const longer = tags.filter(tag => tag !== selected.version && tag.startsWith(selected.version))
  if (rewrittenTo === undefined || longer.length === 0) return []
  const {repository, version} = selected
  const message = `the ImageConfig for ${repository}:${version} also applies to ${listSome(longer)}: a request for such a tag fails until it has an ImageConfig of its own`
  return [warning('xpkg-longer-tag', selected, message)]
}

function objectsOfFunctions(packages: readonly ClosurePackage[]): readonly Diagnostic[] {
  const names = packages
    .filter(({kind, objects = []}) => kind === 'Function' && objects.length > 0)
    .map(({repository}) => repository)
  if (names.length === 0) return []
  const message = `Crossplane 2.3 and later do not install the objects of Functions, which only describe their input: ${listSome(names)}`
  return [{severity: 'note', rule: 'xpkg-function-object', message}]
}
