import type {Diagnostic} from '../../../diagnostic.js'
import {isDigest} from '../../../reference/image-name.js'
import {canonicalName} from '../../../reference/repository-name.js'
import {escaped, listNames, plural, shellWord} from '../../../text.js'
import type {CoreRequest, CoreState} from '../state/core-state.js'
import {requestText} from './lock/problem-texts.js'
import {type MovedPackage, rejection} from './moved-package.js'
import {requirementsOf} from './recorded-requires.js'

/** Says which packages require one that moves, and do not move with it: Crossplane would install it again. */
export function requirerRejections(
  {from, to}: MovedPackage,
  {all, requirers, core}: MoveSet,
): readonly Diagnostic[] {
  if (canonicalName(from.repository) === canonicalName(to.repository)) return []
  const moved = new Set([...all.map(one => one.from.repository), ...requirers.map(one => one.repository)])
  const left = requirersOf(from.repository, core).filter(repository => !moved.has(repository))
  if (left.length === 0) return []
  return [requiredRejection(from.repository, left, waysFor(left, {from, to}, core))]
}

/** The packages of a move, and what changes with it, in a cluster. */
export interface MoveSet {
  readonly all: readonly MovedPackage[]
  readonly requirers: readonly NewRequirer[]
  readonly core: CoreState
}

/** The version of a package to which it changes with a move. */
export interface NewRequirer {
  readonly repository: string
  readonly version: string
  /** The repositories that it requires then. */
  readonly requires: readonly string[]
}

/** Says which versions require a package where it was. */
export function stillRequiredRejections(
  requirers: readonly NewRequirer[],
  moves: readonly {readonly from: {readonly repository: string}; readonly repository: string}[],
): readonly Diagnostic[] {
  return requirers.flatMap(({repository, version, requires}) =>
    moves
      .filter(({from, repository: to}) => from.repository !== to && requires.includes(from.repository))
      .map(({from, repository: to}) =>
        requiredRejection(
          from.repository,
          [`${repository}:${version}`],
          [`Pass a version that requires ${escaped(to)}.`],
        ),
      ),
  )
}

/** Says what is installed in a version other than that which the packages of a move require: Crossplane would not resolve their dependencies. */
export function otherVersionRejections(
  selected: readonly {readonly repository: string; readonly version: string}[],
  former: readonly CoreRequest[],
  {requests}: Pick<CoreState, 'requests'>,
): readonly Diagnostic[] {
  return selected.flatMap(({repository, version}) => {
    const own = requests.filter(one => one.repository === repository && !former.includes(one))
    const [other] = own.filter(({tag, digest}) => (tag ?? digest) !== version)
    if (other === undefined) return []
    const message = `the packages of this move require ${escaped(repository)} in the version ${escaped(version)}, and ${escaped(other.tag ?? other.digest ?? '')} is installed`
    const next = `${repository}${isDigest(version) ? '@' : ':'}${version}`
    return [
      rejection('xpkg-move-requires', message, [
        `Upgrade it first: kubectl crossplane package upgrade ${shellWord(next)}`,
      ]),
    ]
  })
}

/** Says what need not change with a move: nothing that it requires leaves its repository, or its content stays. */
export function unchangedRejections(
  requirers: readonly {readonly from: CoreRequest; readonly tag: string; readonly revision?: string}[],
  moves: readonly {readonly from: {readonly repository: string}; readonly repository: string}[],
  core: CoreState,
): readonly Diagnostic[] {
  const left = moves.flatMap(({from, repository}) =>
    canonicalName(from.repository) === canonicalName(repository) ? [] : [from.repository],
  )
  return requirers.flatMap(({from, tag, revision}) => {
    const isRequiring = left.some(repository => requirersOf(repository, core).includes(from.repository))
    if (isRequiring && (revision === undefined || revision !== from.revision)) return []
    const reason = isRequiring
      ? `has the content of ${escaped(tag)} already`
      : 'requires no package that gets another repository'
    return [
      rejection(
        'xpkg-move-unsupported',
        `${requestText(from)} ${reason}, and would not change with the move`,
        [`Leave out --with ${shellWord(`${from.name}:${tag}`)}.`],
      ),
    ]
  })
}

/** A family moves with its members; a Configuration changes to a version that requires the new repository. */
function waysFor(
  left: readonly string[],
  {from, to}: MovedPackage,
  {requests}: CoreState,
): readonly string[] {
  const configurations = requests.filter(
    ({kind, repository}) => kind === 'Configuration' && left.includes(repository),
  )
  return [
    ...(configurations.length === left.length
      ? []
      : [
          'Pass --family if these are the members of a family, to move them with it.',
          `Upgrade them first, to versions that do not require ${escaped(from.repository)}.`,
        ]),
    ...configurations.map(
      ({name}) => `Pass a version that requires ${escaped(to.repository)}: --with ${shellWord(name)}:TAG`,
    ),
  ]
}

/** Says that what others require would be installed again. */
export function requiredRejection(
  repository: string,
  requirers: readonly string[],
  suggestions: readonly string[],
): Diagnostic {
  const verb = plural(requirers.length, 'requires', 'require')
  const message = `${listNames(requirers)} ${verb} ${escaped(repository)}: Crossplane would install it again after the move`
  return rejection('xpkg-required', message, suggestions)
}

/** Returns the repositories of the packages that require one. */
export function requirersOf(repository: string, core: CoreState): readonly string[] {
  return requirementsOf(core)
    .requirers.filter(
      one => one.repository !== repository && one.dependencies.some(other => other.repository === repository),
    )
    .map(one => one.repository)
}

/** Says what a package requires in its new place, or in its new version: it must not be installed by the move. */
export function requirementRejections(
  to: Pick<NewRequirer, 'repository' | 'requires'>,
  {all, core: {requests}}: MoveSet,
): readonly Diagnostic[] {
  const existing = new Set([
    ...requests.map(({repository}) => canonicalName(repository)),
    ...all.map(one => canonicalName(one.to.repository)),
  ])
  const missing = to.requires.filter(repository => !existing.has(canonicalName(repository)))
  if (missing.length === 0) return []
  return [
    rejection(
      'xpkg-move-requires',
      `${escaped(to.repository)} requires ${listNames(missing)}, which is not installed: Crossplane would install it during the move`,
      [
        'If the package is a member of a family, move the family: kubectl crossplane package move OLD-FAMILY NEW-FAMILY --family',
        `Install it first: kubectl crossplane package install ${shellWord(missing[0] ?? '')}`,
      ],
    ),
  ]
}
