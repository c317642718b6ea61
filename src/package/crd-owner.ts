import {CrossplaneError} from '../errors.js'
import type {Found} from '../index/summaries.js'
import type {PackageSummary} from '../index/package-summary.js'
import {withdrawals} from '../index/indexed-version.js'
import type {PackagePorts} from '../locate/located-package.js'
import {parseImageName} from '../reference/image-name.js'
import {newestStable} from '../reference/newest-version.js'
import {repositoryName} from '../reference/repository-name.js'
import type {ResolutionPolicy} from '../resolve/packages/resolution-policy.js'
import {type CrdRequirement, matchingCrds, parseCrdRequirement} from '../resolve/requirement.js'
import {expectSource, isAllowedSource} from '../resolve/packages/source-policy.js'
import {ownerRuleFor} from '../resolve/solver/owner-rule.js'
import {locatedXpkgs} from '../resolve/xpkg/located-xpkgs.js'
import {listNames} from '../text.js'
import {folderIndex} from '../resolve/catalog/folder-index.js'
import {definesCrd} from './defined-crds.js'

/**
 * Finds the repository of the xpkg that defines a requested CRD: the locked one, or the one that the folder and the
 * indexes have. Undefined if a package with `.registry/` owns it, or none. Throws `unresolvable` if several define it and no
 * owner is named, or the newest version does not serve the requested one.
 */
export async function crdOwner(
  crd: string,
  ports: PackagePorts,
  policy: Pick<ResolutionPolicy, 'lock' | 'owners' | 'teams'>,
): Promise<string | undefined> {
  const locked = await lockedOwner(crd, ports, policy)
  if (locked !== undefined || policy.lock?.otherwise === 'reject') return locked
  const requirement = parseCrdRequirement(crd)
  const owners = allowedOwners(await ownersOf(requirement, ports), ports, policy)
  if (owners.length === 0 || owners.some(({xpkg}) => xpkg === undefined)) return undefined
  const identity = chosenOwner(crd, requirement, owners, policy)
  expectServed(
    requirement,
    owners.filter(owner => owner.identity === identity),
  )
  return fullName(identity, ports)
}

async function lockedOwner(
  crd: string,
  ports: PackagePorts,
  {lock, teams}: Pick<ResolutionPolicy, 'lock' | 'teams'>,
): Promise<string | undefined> {
  const catalog = locatedXpkgs(ports)
  for (const {repository, mode, tag, digest = ''} of lock?.lock.xpkgs ?? []) {
    // What is foreign was removed from the request, or is rejected with what the request leads to.
    if (mode !== 'requested' || !isAllowedSource(repository, teams)) continue
    const content = await catalog.read(repository, tag ?? digest, digest)
    if (definesCrd(content, crd)) return repository
  }
  return undefined
}

/** Entries for other sources are ignored, unless there are no others. */
function allowedOwners(
  owners: readonly PackageSummary[],
  ports: PackagePorts,
  {teams}: Pick<ResolutionPolicy, 'teams'>,
): readonly PackageSummary[] {
  const allowed = owners.filter(({identity}) => isAllowedSource(fullName(identity, ports), teams))
  const [first] = owners
  if (first?.xpkg !== undefined && allowed.length === 0) expectSource(fullName(first.identity, ports), teams)
  return allowed
}

/** The versions that own the CRD, without those that were yanked. */
async function ownersOf(
  requirement: CrdRequirement,
  ports: PackagePorts,
): Promise<readonly PackageSummary[]> {
  const {folder, indexes, defaultSource} = ports
  const opened = [
    ...(folder === undefined ? [] : [await folderIndex(ports, defaultSource)]),
    ...((await indexes?.()) ?? []),
  ]
  const founds = await Promise.all(opened.map(index => index.ofGroup(requirement.group)))
  return founds.flatMap(({summaries, yanked}: Found) => {
    const reasonOf = withdrawals(yanked)
    return summaries.filter(
      summary => matchingCrds(requirement, summary.crds).length > 0 && reasonOf(summary) === undefined,
    )
  })
}

function chosenOwner(
  crd: string,
  {group}: CrdRequirement,
  owners: readonly PackageSummary[],
  {owners: rules}: Pick<ResolutionPolicy, 'owners'>,
): string {
  const identities = [...new Set(owners.map(({identity}) => identity))]
  const [only = '', ...others] = identities
  if (others.length === 0) return only
  const rule = ownerRuleFor(group, rules)
  if (rule !== undefined && identities.includes(rule.identity)) return rule.identity
  const message = `cannot resolve ${crd}: ${listNames(identities)} provide it`
  throw new CrossplaneError('unresolvable', message, {
    suggestions: identities.map(identity => `Pass --owner ${group}=${identity}, or request that package.`),
  })
}

function expectServed(requirement: CrdRequirement, versions: readonly PackageSummary[]): void {
  const {version, text} = requirement
  const tag = newestStable(versions.map(summary => summary.tag))
  const newest = versions.find(summary => summary.tag === tag) ?? versions[0]
  if (version === undefined || newest === undefined) return
  if (matchingCrds(requirement, newest.crds).some(({served}) => served.includes(version))) return
  const message = `cannot resolve ${text}: ${newest.identity}:${newest.tag} does not serve ${version}`
  throw new CrossplaneError('unresolvable', message, {
    suggestions: ['Request the package, with a version that serves it.'],
  })
}

function fullName(identity: string, {defaultSource}: PackagePorts): string {
  const name = parseImageName(identity)
  return name === undefined ? identity : repositoryName(name, defaultSource)
}
