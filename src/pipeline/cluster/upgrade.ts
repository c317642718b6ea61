import type {RenderingSettings} from '../../declaration/render-settings.js'
import {CrossplaneError} from '../../errors.js'
import type {ObservedPackages} from '../../observe/installs/observe-packages.js'
import {present} from '../../present.js'
import {formatImageName, type ImageName, isDigest, parseImageName} from '../../reference/image-name.js'
import {namedIn, notFound} from '../../reference/named.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {canonicalName} from '../../reference/repository-name.js'
import type {VersionPin} from '../../resolve/resolution.js'
import {renderChoices} from '../../package/given-choices.js'
import {clusterPolicy} from '../../package/stack/cluster-policy.js'
import {renderRequested} from '../../package/stack/render-resolved.js'
import type {RequestedInstall} from '../../render/requested-install.js'
import type {InstalledPackage} from '../../resolve/requested/installed-package.js'
import {readPolicy} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import {type InstallPorts, prepareSet} from './install.js'
import type {InstalledUpgrade, UpgradedPart} from './installed-format.js'
import {installedState} from '../../observe/installs/installed-state.js'
import {requestPlaces} from './own-requests.js'
import {pinnedNote} from '../resolution/pinned-note.js'

/** Plans the upgrade of installed packages. Throws `not-found` for a package that is not installed. */
export async function upgradeStacks(query: InstalledUpgrade, ports: InstallPorts): Promise<UpgradedPart> {
  const {options, settings} = query
  const places = requestPlaces(settings)
  const change = await prepareSet({options, places}, ports, observed => setFor(query, observed, ports))
  return {others: [], change}
}

async function setFor(
  {names, settings, choices, options}: InstalledUpgrade,
  observed: ObservedPackages,
  {requests}: InstallPorts,
) {
  const state = installedState(observed, options)
  const ours = state.packages.filter(({inventory}) => inventory !== undefined)
  const named =
    names.length === 0 ? unpinned(ours) : names.flatMap(text => installsNamed(text, state.packages, settings))
  const policy = await readPolicy(settings, requests)
  const upgraded = new Set(named.filter(({isPinned}) => !isPinned).map(({former}) => former.identity))
  const rendering = renderChoices(choices)
  const set = await renderRequested(
    {requested: named.map(requestAgain), policy: clusterPolicy(policy, {...state, upgraded}, rendering)},
    rendering,
    await requests.packages(),
  )
  return {
    ...set,
    notes: [
      ...set.notes,
      ...pinNotes(
        names.length === 0 ? ours : named.filter(install => install.isPinned).map(({former}) => former),
      ),
    ],
  }
}

/** Requests installs again in any version that their pins allow. */
export function unrestricted(installs: readonly InstalledPackage[]): readonly RequestedInstall[] {
  return installs.map(former => requestAgain({former, version: former.pin ?? {}, isPinned: isPinned(former)}))
}

interface NamedInstall {
  readonly former: InstalledPackage
  /** The version that it is restricted to from now on. */
  readonly version: VersionPin
  /** Whether it was restricted to it before. */
  readonly isPinned: boolean
}

function isPinned({pin}: InstalledPackage): boolean {
  return pin?.tag !== undefined || pin?.digest !== undefined
}

function unpinned(ours: readonly InstalledPackage[]): NamedInstall[] {
  return ours
    .filter(installedPackage => !isPinned(installedPackage))
    .map(former => ({former, version: former.pin ?? {}, isPinned: false}))
}

function installsNamed(
  text: string,
  packages: readonly InstalledPackage[],
  {defaultSource}: ResolutionSettings,
): NamedInstall[] {
  const {tag, digest, ...named} = parsePackageImage(text)
  const query = {text: formatImageName(named), action: 'upgrade', defaultSource}
  const all = packages.map(installed => ({...installed, repository: installed.identity}))
  const matches = namedIn(
    query,
    all.filter(({inventory, isOnlyWitnessed}) => inventory !== undefined || isOnlyWitnessed === true),
  )
  const installed = matches.filter(({inventory}) => inventory !== undefined)
  const [lost] = matches
  if (lost === undefined) throw notFound({kind: 'package', name: canonicalName(query.text, defaultSource)})
  if (installed.length === 0) throw withoutInventory(lost)
  if (tag !== undefined || digest !== undefined) {
    return installed.map(former => ({former, version: {tag, digest}, isPinned: false}))
  }
  return installed.map(former => ({former, version: former.pin ?? {}, isPinned: isPinned(former)}))
}

/** `doctor` prints the command that writes the inventory again. */
function withoutInventory({identity, namespace, name}: InstalledPackage): CrossplaneError {
  return new CrossplaneError(
    'inventory-invalid',
    `cannot upgrade ${identity}: the inventory of ${namespace}/${name} is missing or was changed`,
    {suggestions: ['kubectl crossplane doctor', 'Then run this command again.']},
  )
}

function requestAgain({former, version: {tag, digest, range}}: NamedInstall): RequestedInstall {
  const {identity, namespace, name, inventory} = former
  const image: ImageName = {
    ...(parseImageName(identity) ?? {path: identity}),
    ...present({tag}),
    ...(digest !== undefined && isDigest(digest) ? {digest} : {}),
  }
  return {
    target: {kind: 'image', name: image},
    range,
    namespace,
    name,
    former,
    parameters: inventory?.settings ?? {imagePullSecrets: [], serviceAccountAnnotations: {}},
    ...present({rendering: runnerSettings(inventory?.rendering)}),
  }
}

/** How a template stack runs is kept at any version; what a package was allowed is not. */
function runnerSettings({controllerImage, templatesFrom}: RenderingSettings = {}):
  | RenderingSettings
  | undefined {
  const runner = present({controllerImage, templatesFrom})
  return Object.keys(runner).length === 0 ? undefined : runner
}

function pinNotes(installs: readonly InstalledPackage[]): ReturnType<typeof pinnedNote> {
  return pinnedNote(
    installs.filter(isPinned).map(({identity, pin}) => `${identity} (${pin?.tag ?? pin?.digest ?? ''})`),
  )
}
