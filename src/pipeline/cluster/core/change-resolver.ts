import type {Diagnostic} from '../../../diagnostic.js'
import {readCoreVersion} from '../../../observe/objects/read-core-version.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {expectTags} from '../../../plan/cluster/core/resolver-rejections.js'
import {isOurs, requestedAs} from '../../../plan/cluster/core/requested-as.js'
import type {InstallOptions} from '../../../plan/cluster/plan-install.js'
import {CrossplaneError} from '../../../errors.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import {mapConcurrent} from '../../../map-concurrent.js'
import {formerContent} from '../../../package/xpkg/former-content.js'
import {present} from '../../../present.js'
import {requestName} from '../../../reference/named.js'
import {locatedXpkgs} from '../../../resolve/xpkg/located-xpkgs.js'
import {shellWord} from '../../../text.js'
import type {XpkgResolver} from '../../../xpkg/pins.js'
import type {ReadDeclaration} from '../../request/given-settings.js'
import {readRequest} from '../../request/read-request.js'
import type {ResolutionSettings} from '../../request/request-query.js'
import type {InstallPorts} from '../install.js'
import type {PackagesChange} from '../joined-changes.js'
import {changePackages} from './change-packages.js'
import {type ResolvedPackages} from './resolved-packages.js'
import {closureInCluster, type ClusterClosureQuery} from './closure-in-cluster.js'
import {installedVersion, lockedRequest} from './cluster-lock.js'

/** A query for packages that begin to skip the resolver of the core, or are left to it again. */
export interface ResolverQuery {
  readonly resolver: XpkgResolver
  /** The declaration of the cluster, whose sources and policy apply. */
  readonly file?: string | undefined
  readonly settings: ResolutionSettings
  readonly options: InstallOptions
}

/**
 * Plans that all packages of a cluster skip the resolver of the core, or are left to it again: their versions stay. Throws as
 * `changePackages` does.
 */
export async function changeResolver(
  {resolver, file, settings, options}: ResolverQuery,
  {api, requests}: InstallPorts,
): Promise<PackagesChange> {
  const named = {kind: 'install', requested: []} as const
  const query = file === undefined ? named : ({kind: 'declaration', file} as const)
  const {policy, packages, declaration} = await readRequest({...query, settings}, requests)
  const {budget, judge, teams} = policy
  const coreVersion = policy.coreVersion ?? (await readCoreVersion(api))
  const resolve = async (core: CoreState): Promise<ResolvedPackages> => {
    if (resolver === 'on') expectTags(core)
    await expectReadable(core, packages)
    const closure = await closureInCluster(
      {...installedQuery(core), budget, teams, ...present({coreVersion})},
      core,
      packages,
    )
    const notes = declarationNotes(resolver, declaration)
    return {closure, requestedAs: requestedTexts(core), notes, own: skippingByDigest(core, resolver)}
  }
  return await changePackages(
    {
      settings: {resolver, ...present({coreVersion})},
      ...{options, packages, changesResolver: true},
      ...present({judge}),
    },
    resolve,
    api,
  )
}

/** What skips the resolver by digest already has exact content, and stays as it is: a tree that has it so would undo a tag. */
function skippingByDigest(
  {requests}: CoreState,
  resolver: XpkgResolver,
): ReadonlyMap<string, {readonly pin: 'digest'}> {
  if (resolver === 'on') return new Map()
  const skipping = requests.filter(({isResolved, digest}) => !isResolved && digest !== undefined)
  return new Map(skipping.map(({repository}) => [repository, {pin: 'digest'}]))
}

/** Throws `cluster-refused` for requests whose packages cannot be read: what they require decides about the others. */
async function expectReadable({requests}: CoreState, ports: PackagePorts): Promise<void> {
  const catalog = locatedXpkgs(ports)
  const reasons = new Map<CoreRequest, string>()
  await mapConcurrent(requests, CONCURRENT_READS, async request => {
    const content = await formerContent(lockedRequest(request), catalog)
    if ('reason' in content) reasons.set(request, content.reason)
  })
  const unread = requests.flatMap(request => {
    const reason = reasons.get(request)
    return reason === undefined ? [] : [unreadRequest(request, reason)]
  })
  if (unread.length === 0) return
  throw new CrossplaneError('cluster-refused', 'cannot change the resolver: packages cannot be read', {
    diagnostics: unread,
  })
}

const CONCURRENT_READS = 8

function unreadRequest(request: CoreRequest, reason: string): Diagnostic {
  const name = requestName(request)
  return {
    severity: 'error',
    rule: 'xpkg-request-unread',
    message: `${name} names a package that cannot be read: ${reason}`,
    subject: {package: request.repository},
    suggestions: [
      `Log in to its registry, or pass --mirror FROM=TO. If nothing needs the request: kubectl delete ${shellWord(name)}`,
    ],
  }
}

/** All packages, in their versions. */
function installedQuery({requests}: CoreState): Pick<ClusterClosureQuery, 'roots' | 'named' | 'upgraded'> {
  const versions = new Map(requests.map(one => [one.repository, installedVersion(one)]))
  const roots = [...versions].map(([repository, version]) => ({repository, version}))
  return {roots, named: [], upgraded: []}
}

/** What other programs requested is of a user: it is not there for other packages. */
function requestedTexts({requests}: CoreState): ReadonlyMap<string, string> {
  const textOf = (request: CoreRequest) =>
    isOurs(request.object) || request.isByCore ? requestedAs(request) : installedVersion(request)
  return new Map(
    requests.flatMap(request => {
      const text = textOf(request)
      return text === undefined ? [] : [[request.repository, text] as const]
    }),
  )
}

/** The line by which the next command of a declaration agrees. */
function declarationNotes(
  resolver: XpkgResolver,
  declaration: ReadDeclaration | undefined,
): readonly Diagnostic[] {
  const {xpkg} = declaration?.content ?? {}
  if (declaration !== undefined && (xpkg?.resolver ?? (xpkg?.pin === 'digest' ? 'off' : 'on')) === resolver)
    return []
  const place = declaration === undefined ? 'a declaration of this cluster' : declaration.name
  const message = `set xpkg.resolver: ${resolver} in ${place}, or its next install is rejected`
  return [{severity: 'note', rule: 'declaration-resolver', message}]
}
