import type {Lock, LockedXpkg} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf} from '../../kubernetes/object-key.js'
import type {CoreRequest, CoreState} from '../../plan/cluster/state/core-state.js'
import type {ImportedPackage} from '../../plan/cluster/core/imported-packages.js'
import {unresolvablePairs} from '../../plan/cluster/core/imported-choices.js'
import {importedImageFindings} from '../../plan/cluster/core/imported-image-settings.js'
import type {LockProblem} from '../../plan/cluster/core/lock/lock-problems.js'
import {resolverCommand} from '../../plan/cluster/core/resolver-change.js'
import {byHand} from '../../plan/cluster/core/lock/repair-by-hand.js'
import {problemText, requestText} from '../../plan/cluster/core/lock/problem-texts.js'
import {kubectlGet} from '../../plan/cluster/objects/object-reasons.js'
import {escaped} from '../../text.js'
import {derivedName} from '../../xpkg/package-name.js'
import {revisionName} from '../../xpkg/package-name.js'

/** Returns the packages that the resolver of Crossplane would request once more. */
export function resolverFindings(
  packages: readonly ImportedPackage[],
  contents: readonly LockedXpkg[],
): readonly Diagnostic[] {
  return unresolvablePairs(packages, contents).map(({required, by}): Diagnostic => ({
    severity: 'warning',
    rule: 'import-resolver',
    message: `${requestText(required.request)} is required by ${requestText(by.request)}, and Crossplane would request it once more when it is upgraded: the declaration has resolver: off, with which such names are safe once the cluster was changed to it`,
    subject: {package: required.repository},
    suggestions: [resolverCommand('off'), ...renaming(required.request)],
  }))
}

/** With the name that Crossplane derives, a package is safe with the resolver, too. */
function renaming(request: CoreRequest): readonly string[] {
  return byHand({kind: 'name', request, derived: derivedName(request.repository)})
}

/** The core has not read the tag of the request. */
function isRewritten({repository}: ImportedPackage, findings: readonly Diagnostic[]): boolean {
  return findings.some(({rule, subject}) => rule === 'import-rewrite' && subject?.package === repository)
}

/** Returns the requests that another one for the same repository is kept for: as a repair would, or else the first one. */
export function duplicatesIn(
  {requests}: CoreState,
  problems: readonly LockProblem[],
): readonly CoreRequest[] {
  const repaired = problems.flatMap(problem => (problem.kind === 'requests' ? problem.others : []))
  const left = requests.filter(request => !repaired.includes(request))
  const isFirst = (request: CoreRequest) =>
    left.find(({repository}) => repository === request.repository) === request
  return [...repaired, ...left.filter(request => !isFirst(request))]
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
