import {gitApplier} from '../../cluster/git-applier.js'
import type {Lock, LockedXpkg} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {grouped} from '../../grouped.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf} from '../../kubernetes/object-key.js'
import type {CoreRequest, CoreState} from '../../plan/cluster/state/core-state.js'
import type {ImportedPackage} from '../../plan/cluster/core/imported-packages.js'
import {unresolvablePairs} from '../../plan/cluster/core/imported-choices.js'
import {importedImageFindings} from '../../plan/cluster/core/imported-image-settings.js'
import {duplicatesIn, type LockProblem} from '../../plan/cluster/core/lock/lock-problems.js'
import {resolverCommand, resolverCommandIn} from '../../plan/cluster/core/resolver-change.js'
import {byHand} from '../../plan/cluster/core/lock/repair-by-hand.js'
import {problemText, requestText} from '../../plan/cluster/core/lock/problem-texts.js'
import {kubectlGet} from '../../plan/cluster/objects/object-reasons.js'
import {escaped, listAll, listSome, plural} from '../../text.js'
import {derivedName} from '../../xpkg/package-name.js'
import {revisionName} from '../../xpkg/package-name.js'

/** Returns a warning of the packages that the resolver of Crossplane would install a second time. */
export function resolverFindings(
  packages: readonly ImportedPackage[],
  contents: readonly LockedXpkg[],
  core: Pick<CoreState, 'requests'>,
): readonly Diagnostic[] {
  const pairs = grouped(unresolvablePairs(packages, contents), ({required}) => required.repository)
  const all = [...pairs.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{...first, dependents: [first, ...others].map(({by}) => by.request)}],
  )
  const [first] = all
  if (first === undefined) return []
  const names = all.map(
    ({required, dependents}) =>
      `${requestText(required.request)} (required by ${listSome(dependents.map(requestText), MAX_NAMES)})`,
  )
  const are = plural(all.length, 'it is', 'they are')
  return [
    {
      severity: 'warning',
      rule: 'import-resolver',
      message: `Crossplane would install ${listSome(names, MAX_NAMES)} a second time when ${are} upgraded: the declaration has resolver: off, which prevents that once the resolver of the cluster is off as well`,
      subject: {package: first.required.repository},
      suggestions: [turningOff(core), ...all.flatMap(({required}) => renaming(required.request))],
    },
  ]
}

const MAX_NAMES = 20

/** What a controller applies, it changes itself: it would undo what a command takes over from it. */
function turningOff(core: Pick<CoreState, 'requests'>): string {
  const programs = core.requests.flatMap(({object}) => gitApplier(object) ?? [])
  return programs.length === 0
    ? resolverCommandIn(core, 'off')
    : `Once ${listAll([...new Set(programs)].sort())} has applied the rendered tree: ${resolverCommand('off')}`
}

/** With the name that Crossplane derives, a package is safe with the resolver, too. */
function renaming(request: CoreRequest): readonly string[] {
  return byHand({kind: 'name', request, derived: derivedName(request.repository)})
}

/**
 * Joins what is the same for several requests into one diagnostic with all names: a cluster often has one problem as many times as it has
 * packages. What is suggested is that of the first one.
 */
export function joinedFindings(
  findings: readonly Diagnostic[],
  requests: readonly CoreRequest[],
): readonly Diagnostic[] {
  const texts = new Map(
    findings.map(finding => {
      const {message, subject} = finding
      const names = requests.filter(({repository}) => repository === subject?.package).map(requestText)
      return [finding, names.find(name => message.startsWith(`${name} `)) ?? ''] as const
    }),
  )
  const keyOf = (finding: Diagnostic, index: number) => {
    const name = texts.get(finding) ?? ''
    return name === '' ? `${index}` : `${finding.rule} ${finding.message.slice(name.length)}`
  }
  const groups = grouped(
    findings.map((finding, index) => ({finding, key: keyOf(finding, index)})),
    ({key}) => key,
  )
  return [...groups.values()].flatMap(([first, ...others]): readonly Diagnostic[] => {
    if (first === undefined) return []
    const names = others.map(({finding}) => texts.get(finding) ?? '')
    const same = names.length === 0 ? '' : `; the same applies to ${listSome(names, MAX_NAMES)}`
    return [{...first.finding, message: `${first.finding.message}${same}`}]
  })
}

/** The core has not read the tag of the request. */
function isRewritten({repository}: ImportedPackage, findings: readonly Diagnostic[]): boolean {
  return findings.some(({rule, subject}) => rule === 'import-rewrite' && subject?.package === repository)
}

/** A poisoned Lock stops all packages: nothing that is installed changes until it is repaired. */
export function lockFindings(state: CoreState, problems: readonly LockProblem[]): readonly Diagnostic[] {
  const poison = problems.filter(({kind}) => kind !== 'name')
  const inLock = problems.flatMap(problem => (problem.kind === 'requests' ? problem.others : []))
  const others = duplicatesIn(state, problems).filter(request => !inLock.includes(request))
  return [
    ...poison.map((problem): Diagnostic => ({
      severity: 'warning',
      rule: problem.kind === 'requests' ? 'import-duplicate' : 'import-lock',
      message: problemText(problem),
      suggestions: problem.kind === 'move' ? byHand(problem) : ['kubectl crossplane doctor --repair'],
    })),
    ...others.map((request): Diagnostic => ({
      severity: 'warning',
      rule: 'import-duplicate',
      message: `${requestText(request)} is left out of the files: ${escaped(request.repository)} has another request`,
      subject: {package: request.repository},
      suggestions: [kubectlGet(nameOf(request.object))],
    })),
  ]
}

/** Returns how the content that the lock has differs from what the cluster runs. */
export function contentFindings(
  packages: readonly ImportedPackage[],
  state: CoreState,
  locked: NonNullable<Lock['xpkgs']>,
  imageConfigs: readonly KubernetesObject[],
): readonly Diagnostic[] {
  const images = importedImageFindings(state.requests, imageConfigs, locked)
  const read = packages.filter(one => !isRewritten(one, images))
  return [...images, ...movedTags(read, locked, state), ...missingFindings(locked, packages)]
}

/** The name of a revision has the start of the digest that is installed. */
function movedTags(
  packages: readonly ImportedPackage[],
  locked: NonNullable<Lock['xpkgs']>,
  {revisions}: CoreState,
): readonly Diagnostic[] {
  return packages.flatMap(({request, repository, version}): readonly Diagnostic[] => {
    const {kind, name} = request
    const digest = locked.find(xpkg => xpkg.repository === repository)?.digest
    const active = revisions.find(
      revision => revision.kind === kind && revision.request === name && revision.isActive,
    )
    if (digest === undefined || active === undefined || active.name === revisionName(name, digest)) return []
    const message = `${requestText(request)} runs ${escaped(active.name)}, but ${escaped(repository)}:${escaped(version)} is now ${digest}: the tag was moved after it was installed`
    return [{severity: 'warning', rule: 'import-content', message, subject: {package: repository}}]
  })
}

function missingFindings(
  locked: NonNullable<Lock['xpkgs']>,
  packages: readonly ImportedPackage[],
): readonly Diagnostic[] {
  return locked
    .filter(({repository}) => !packages.some(other => other.repository === repository))
    .map(({repository}) => ({
      severity: 'warning',
      rule: 'import-missing',
      message: `${escaped(repository)} is required and has no request in the cluster: it is added`,
      subject: {package: repository},
    }))
}
