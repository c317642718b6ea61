import {CrossplaneError} from '../../../errors.js'
import {assumedFacts} from '../../../pipeline/resolve/assumed-facts.js'
import type {ResolutionPolicy} from '../../../pipeline/resolve/resolve-packages.js'
import type {Declaration} from '../../../declaration/declaration.js'
import {isGroupPattern} from '../../../declaration/declaration-check.js'
import {checkNamespace, SYSTEM_NAMESPACE} from '../../../reference/instance-name.js'
import {parsePackageImage} from '../../../reference/package-reference.js'
import type {Places} from '../../../resolve/placement.js'
import type {OwnerRule} from '../../../resolve/solver-input.js'
import {parseDuration} from '../../output/duration.js'
import {readInputFiles} from '../input-files.js'
import {clockBudget} from './solve-budget.js'

/** The values of `resolutionFlags` and `placeFlags`, as oclif parses them. */
export interface ResolutionFlagValues {
  readonly owner?: readonly string[]
  readonly assume?: readonly string[]
  readonly 'crossplane-version': string
  readonly 'allow-version-mismatch': boolean
  readonly 'dependency-namespace'?: string
  readonly 'solve-timeout': string
  readonly 'system-namespace'?: string
  readonly 'default-source'?: string
}

/** What a command line says on how to choose packages, and where it is silent a declaration. Throws `usage`. */
export async function resolutionPolicy(
  flags: ResolutionFlagValues,
  declaration?: Declaration,
): Promise<ResolutionPolicy> {
  const assumed = flags.assume ?? []
  const crossplane = flags['crossplane-version']
  const facts = assumedFacts({
    crds: assumed.filter(each => !isFile(each)),
    files: await readInputFiles(assumed.filter(isFile), '--assume'),
    crossplane,
  })
  const defaultSource = flags['default-source'] ?? declaration?.defaultSource
  return {
    facts,
    crossplane,
    owners: ownersOf(flags, declaration),
    ...placesOf(flags, declaration),
    ...(defaultSource === undefined ? {} : {defaultSource}),
    allowVersionMismatch: flags['allow-version-mismatch'],
    budget: clockBudget(parseDuration(flags['solve-timeout'], '--solve-timeout')),
  }
}

/** What the command line says of a group holds before what the declaration says of it. */
function ownersOf({owner = []}: ResolutionFlagValues, declaration: Declaration | undefined): OwnerRule[] {
  const owners = owner.map(ownerRule)
  const declared = (declaration?.owners ?? []).filter(({group}) => !owners.some(rule => rule.group === group))
  return [...owners, ...declared.map(each => ({group: each.group, identity: each.package}))]
}

function placesOf(flags: ResolutionFlagValues, declaration: Declaration | undefined): Places {
  const dependencyNamespace = flags['dependency-namespace'] ?? declaration?.dependencyNamespace
  const systemNamespace = flags['system-namespace'] ?? declaration?.systemNamespace ?? SYSTEM_NAMESPACE
  return {
    systemNamespace: checkNamespace(systemNamespace, '--system-namespace'),
    ...(dependencyNamespace === undefined
      ? {}
      : {dependencyNamespace: checkNamespace(dependencyNamespace, '--dependency-namespace')}),
  }
}

/** A CRD's name ends in a group or a version, and neither looks like a file. */
function isFile(text: string): boolean {
  return text === '-' || /^\.{0,2}\//.test(text) || /\.(?:ya?ml|json)$/.test(text)
}

function ownerRule(text: string): OwnerRule {
  const equals = text.indexOf('=')
  const group = text.slice(0, Math.max(0, equals))
  if (isGroupPattern(group)) return {group, identity: repositoryIn(text.slice(equals + 1))}
  throw new CrossplaneError('usage', `--owner ${JSON.stringify(text)} names no group and its owner`, {
    suggestions: ['Write GROUP=PACKAGE, such as sql.example.org=example/provider-sql.'],
  })
}

/** A repository without a tag: an owner is trusted in whatever version. */
function repositoryIn(text: string): string {
  const {tag, digest} = parsePackageImage(text)
  if (tag === undefined && digest === undefined) return text
  throw new CrossplaneError('usage', `--owner names ${text}, and an owner has no version`, {
    suggestions: ['Leave the tag out: which version is used follows from what is needed.'],
  })
}
