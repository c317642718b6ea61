import type {Diagnostic} from '../../../diagnostic.js'
import {CrossplaneError} from '../../../errors.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ClosurePackage} from '../../../render/xpkg/closure.js'
import {escaped, listNames, plural} from '../../../text.js'
import type {XpkgResolver} from '../../../xpkg/pins.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import {
  type CoreRequest,
  type CoreRevision,
  type CoreState,
  isPackageRequest,
  isPaused,
  resumeCommand,
} from '../state/core-state.js'
import {duplicateRepositories} from './lock/lock-problems.js'
import {requestText} from './lock/problem-texts.js'
import {coreReference} from './read-core-object.js'
import {requestedByDigest} from './recorded-requires.js'
import {deactivated, dependentEntries, isSame, lockedDependents, lostEntry} from './resolver-change.js'

/** Returns why packages cannot change the resolver as they are: only with the content that is installed, none of them is installed again. */
export function resolverRejections(
  objects: readonly KubernetesObject[],
  packages: readonly Pick<ClosurePackage, 'repository' | 'digest'>[],
  core: CoreState,
  resolver: XpkgResolver,
): readonly Diagnostic[] {
  const digests = new Map(packages.map(({repository, digest}) => [repository, digest]))
  const duplicates = duplicateRepositories(core)
  return [
    ...(duplicates.length === 0 ? [] : [poisoned(duplicates)]),
    ...(resolver === 'off' ? lostEntries(core) : []),
    ...pausedOnes(core, resolver),
    ...objects.filter(isPackageRequest).flatMap(object => {
      const reference = asText(asObject(object.spec).package)
      const {repository} = coreReference(reference)
      const live = core.requests.find(one => one.repository === repository)
      if (live === undefined) return [missing(object)]
      if (!isSame(live, object)) return [otherName(live, object)]
      const digest = digests.get(live.repository)
      // The tag of the digest by which it is requested has the content that is installed.
      const isChanged = live.reference !== reference && (digest === undefined || live.digest !== digest)
      return isChanged || isMoved(live, digest) ? [otherContent(live)] : []
    }),
  ]
}

/** Throws `cluster-refused` for requests whose digests Crossplane's resolver would compare with constraints. */
export function expectTags(core: CoreState): void {
  const all = requestedByDigest(core)
  if (all.length === 0) return
  const message = `cannot leave packages to the resolver of Crossplane: others require ${listNames(all)} by version, which ${plural(all.length, 'is', 'are')} requested by digest`
  throw new CrossplaneError('cluster-refused', message, {
    suggestions: [
      'Request each by the tag of its installed version first: kubectl crossplane package upgrade REPOSITORY:TAG --pin=config --resolver=off',
    ],
  })
}

/** An entry whose revision or request is gone cannot leave the Lock with the others, and the core resolves what it requires. */
function lostEntries(core: CoreState): readonly Diagnostic[] {
  return dependentEntries(core).flatMap(({entry, revision, request}) =>
    request === undefined ? [lostEntry(entry, revision)] : [],
  )
}

/** Crossplane ignores a paused object: it would activate no revision of it again, and its Lock would stay as it is. */
function pausedOnes(core: CoreState, resolver: XpkgResolver): readonly Diagnostic[] {
  const changing = core.requests.filter(({isResolved}) => isResolved === (resolver === 'off'))
  const leaving = resolver === 'off' ? [...lockedDependents(core), ...deactivated(core)] : []
  const requests = [...new Set([...changing, ...leaving.map(({request}) => request)])]
  // Whether other revisions are paused does not matter for the Lock.
  const isEntering = ({kind, name}: CoreRevision) =>
    resolver === 'on' && changing.some(one => one.kind === kind && one.revision === name)
  const leavingRevisions = new Set(leaving.map(({revision}) => revision))
  const revisions = core.revisions.filter(one => leavingRevisions.has(one) || isEntering(one))
  return [
    ...requests.filter(isPaused),
    ...revisions.filter(isPaused).map(({kind, ...one}) => ({...one, kind: `${kind}Revision`})),
  ].map(({kind, name, repository}) => ({
    severity: 'error',
    rule: 'xpkg-paused',
    message: `${kind.toLowerCase()}/${escaped(name)} is paused, so that Crossplane would not complete the change of its resolver`,
    subject: {package: repository},
    suggestions: [resumeCommand({kind, name})],
  }))
}

/** The name of a revision ends with the digest of its content, whatever its tag leads to now. */
function isMoved({revision}: CoreRequest, digest: string | undefined): boolean {
  return digest !== undefined && revision !== undefined && !revision.endsWith(`-${digest.slice(7, 19)}`)
}

function poisoned(repositories: readonly string[]): Diagnostic {
  return {
    severity: 'error',
    rule: 'core-lock',
    message: `the Lock of Crossplane has ${listNames(repositories)} several times, which stops all packages`,
    suggestions: ['kubectl crossplane doctor'],
  }
}

function missing({kind, metadata: {name}}: KubernetesObject): Diagnostic {
  return {
    severity: 'error',
    rule: 'xpkg-resolver-version',
    message: `${kind} ${name} is required and not installed, and nothing is installed while the resolver changes`,
    suggestions: ['Install what is missing first; list shows which package requires it.'],
  }
}

/** Only with the resolver does a name matter. */
function otherName(live: CoreRequest, {metadata: {name}}: KubernetesObject): Diagnostic {
  return {
    severity: 'error',
    rule: 'xpkg-other-name',
    message: `${requestText(live)} is required by another package: Crossplane would install it once more, as ${name}, when its version changes`,
    subject: {package: live.repository},
    suggestions: ['Keep xpkg.resolver: off, with which packages can have any names.'],
  }
}

function otherContent(live: CoreRequest): Diagnostic {
  return {
    severity: 'error',
    rule: 'xpkg-resolver-version',
    message: `${requestText(live)} would get other content than is installed, and versions do not change together with the resolver`,
    subject: {package: live.repository},
    suggestions: ['Upgrade the package first, or afterwards, with a command of its own.'],
  }
}
