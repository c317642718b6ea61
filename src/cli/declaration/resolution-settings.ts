import {CrossplaneError} from '../../errors.js'
import type {ResolutionSettings} from '../../pipeline/request/request-query.js'
import {isGroupPattern} from '../../reference/kubernetes-names.js'
import {isLocalPath, parsePackageImage} from '../../reference/package-reference.js'
import type {OwnerRule} from '../../resolve/solver-input.js'
import {quoted} from '../../text.js'
import {present} from '../../present.js'
import type {coreVersionFlag} from './xpkg-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {sourceFlag} from '../registry/registry-flags.js'
import type {placeFlags} from './request-flags.js'
import type {resolutionFlags} from './resolution-flags.js'
import {parseDuration} from '../shell/flags/duration.js'

export type ResolutionFlags = FlagValues<typeof resolutionFlags> &
  Partial<FlagValues<typeof placeFlags & typeof sourceFlag & typeof coreVersionFlag>>

/**
 * The settings of a resolution on the command line. Throws `usage`.
 * @param written - names of the flags on the command line.
 */
export function resolutionSettings(
  flags: ResolutionFlags,
  flagNames: ReadonlySet<string>,
): ResolutionSettings {
  const {owner = [], assume = []} = flags
  return {
    owners: owner.map(ownerRule),
    policy: flags.policy,
    assume: {crds: assume.filter(text => !isFile(text)), files: assume.filter(isFile)},
    crossplane: {release: flags['crossplane-version'], isGiven: flagNames.has('crossplane-version')},
    ...present({coreVersion: flags['core-version']}),
    defaultSource: flags['default-source'],
    systemNamespace: flags['system-namespace'],
    dependencyNamespace: flags['dependency-namespace'],
    allowVersionMismatch: flags['allow-version-mismatch'],
    solveTimeout: parseDuration(flags['solve-timeout'], '--solve-timeout'),
    flagNames,
  }
}

/** A CRD's name ends in a group or a version, and neither looks like a file. */
function isFile(text: string): boolean {
  return text === '-' || isLocalPath(text) || /\.(?:ya?ml|json)$/.test(text)
}

function ownerRule(text: string): OwnerRule {
  const equals = text.indexOf('=')
  const group = text.slice(0, Math.max(0, equals))
  if (isGroupPattern(group)) return {group, identity: repositoryIn(text.slice(equals + 1))}
  throw new CrossplaneError('usage', `invalid --owner ${quoted(text)}: not GROUP=PACKAGE`, {
    suggestions: ['Write GROUP=PACKAGE, such as sql.example.org=example/provider-sql.'],
  })
}

/** A repository without a tag: an owner is trusted in every version. */
function repositoryIn(text: string): string {
  const {tag, digest} = parsePackageImage(text)
  if (tag === undefined && digest === undefined) return text
  throw new CrossplaneError('usage', `invalid --owner ${quoted(text)}: an owner has no version`, {
    suggestions: ['Leave out the tag and the digest.'],
  })
}
