import type {RenderingSettings} from '../../declaration/render-settings.js'
import {present} from '../../present.js'
import type {Diagnostic} from '../../diagnostic.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {ERAS} from '../../render/era.js'
import type {InstallSet, SetInstall} from '../../render/install-set.js'
import {type FirstOwner, firstOwners} from '../../resolve/first-owners.js'
import type {OwnerChange} from '../../resolve/resolution.js'
import {type RequiredPlurals, requiredPlurals} from '../../resolve/required-plurals.js'
import type {PlannedInstall, VersionPin} from '../../resolve/resolution.js'
import type {OpenPackage} from '../../resolve/catalog/catalog.js'
import type {InstalledPackage} from '../../resolve/requested/installed-package.js'
import {expectJudgedInstalls} from './judge-installs.js'
import {contextNamespaceNote} from './cluster-notes.js'
import {ASSUMED_RULE, requiredCoreCrds} from './cluster-policy.js'
import {pinOf, resolvedOrigin} from '../../render/install-origin.js'
import {removedPart} from '../../render/removed-part.js'
import {installPart, type Part, type RenderChoices, setOf} from '../../render/render-part.js'
import {resolveRequest} from '../../render/resolve-install.js'
import type {PlanPolicies} from '../../inspect/policy/package-judge.js'
import type {ReadRequest} from '../../pipeline/request/read-request.js'
import type {RequestedInstall, RequestSettings} from '../../render/requested-install.js'
import {expectSourcedImages} from './sourced-images.js'
import {engineWarnings, withTemplates} from './with-templates.js'
import {rejectUnnamedRequest} from './render-package.js'
import {withCrdPlaces} from '../../locate/crd-places.js'
import {withTrust} from '../../locate/with-trust.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {unresolved} from '../../resolve/packages/rejection.js'
import {resolvePackages} from '../../resolve/packages/resolve-packages.js'
import {type SignerChange, signerChangeNotes} from '../../resolve/signer-changes.js'
import {changedSigners, signedPackages} from '../../pipeline/signatures/signed-packages.js'
import {expectSameSigners, withVerifiedImages} from '../../pipeline/signatures/rendered-images.js'

/** What a resolution needs of a request that was read. */
type Resolvable = Pick<ReadRequest, 'requested' | 'policy'>

/** A set, with the resolution that it was rendered from. */
export interface ResolvedSet extends InstallSet {
  readonly notes: readonly Diagnostic[]
  readonly firstOwners: readonly FirstOwner[]
  /** The changes of owners of groups, compared with lock and cluster. */
  readonly ownerChanges: readonly OwnerChange[]
  /** The packages and images that have other signers than in the lock. */
  readonly signerChanges: readonly SignerChange[]
  /** The installs of which only CRDs are left. */
  readonly removed: readonly RemovedInstall[]
  /** The packages that the request leads to, without what a cluster has besides. */
  readonly identities: readonly string[]
  /** By what a plan of the set is judged, if the policy of the team has anything about plans. */
  readonly planPolicies?: PlanPolicies
}

/** An install of which rendered files have only the CRDs, by name. */
interface RemovedInstall {
  readonly install: SetInstall
  readonly crds: readonly string[]
}

/** Renders the requested packages with their dependencies, which come first. Throws the errors of `resolvePackages`. */
export async function renderRequested(
  {requested, policy}: Resolvable,
  choices: RenderChoices,
  sources: PackagePorts,
): Promise<ResolvedSet> {
  const ports = withTrust(sources, policy.trust)
  const result = await resolvePackages(requested, policy, sources)
  if (result.kind === 'rejected') throw unresolved(result)
  const {resolution, opened, identities = []} = result
  const signed = await signedPackages(result, policy.lock, ports)
  const signers = changedSigners(signed, policy.lock?.lock, policy.trust)
  expectSameSigners(signers, policy.lock)
  const parts: Part[] = []
  const warnings: Diagnostic[] = []
  const notes: Diagnostic[] = []
  const plurals = requiredPlurals(resolution)
  const removed: RemovedInstall[] = []
  for (const install of resolution.installs) {
    const openPackage = opened.get(install.summary.identity)
    if (openPackage === undefined) throw new RangeError(`${install.summary.identity} was not read`)
    const rendered = await partOf(install, openPackage, {requested, policy, plurals}, {choices, ports})
    const removal = policy.installed === undefined ? rendered.removal : undefined
    const part = removal === undefined ? rendered.part : removedPart(rendered.part, removal)
    parts.push(part)
    if (removal === 'crds-only') removed.push({install: part.install, crds: crdsOf(part)})
    notes.push(...rendered.notes)
    const isOnly = resolution.installs.length === 1
    warnings.push(
      ...(isOnly ? rendered.warnings : rendered.warnings.map(diagnostic => of(openPackage, diagnostic))),
    )
  }
  const packages = [...opened.values()].map(({located}) => located)
  const core = requiredCoreCrds(resolution, policy, choices)
  const whole = withCrdPlaces(packages, () => setOf(choices, parts, warnings, core.objects))
  const gone = new Set(removed.map(({install}) => install))
  const asked = parts.filter((_part, index) => (resolution.installs[index]?.requestedBy ?? []).length > 0)
  expectSourcedImages(asked, whole.objects, policy)
  const objects = await withVerifiedImages(whole, signed, policy, ports)
  const planPolicies = await expectJudgedInstalls(parts, objects, signed, policy)
  const set = {...whole, objects, installs: whole.installs.filter(install => !gone.has(install))}
  const shown = resolution.notes.filter(({rule}) => core.notes.length === 0 || rule !== ASSUMED_RULE)
  return {
    ...set,
    notes: [...shown, ...signerChangeNotes(signers), ...core.notes, ...notes],
    firstOwners: firstOwners(resolution),
    ownerChanges: resolution.ownerChanges,
    signerChanges: signers,
    removed,
    identities,
    ...present({planPolicies}),
  }
}

function crdsOf({objects}: Part): readonly string[] {
  return objects.flatMap(({object}) => (isCrd(object) ? [object.metadata.name] : []))
}

interface RenderedPart {
  readonly part: Part
  readonly removal?: RequestedInstall['removal']
  readonly warnings: readonly Diagnostic[]
  readonly notes: readonly Diagnostic[]
}

async function partOf(
  planned: PlannedInstall,
  {located, package: read}: OpenPackage,
  {requested, policy, plurals}: Resolvable & {readonly plurals: ReadonlyMap<string, RequiredPlurals>},
  {choices, ports}: {readonly choices: RenderChoices; readonly ports: PackagePorts},
): Promise<RenderedPart> {
  const {summary, namespace, name} = planned
  const {request, settings, pinned, as} = requestOf(planned, {requested, policy}, choices)
  const parameters = {
    ...settings,
    namespace,
    name,
    systemNamespace: policy.systemNamespace,
    pin: as.pin,
    ...present({templatesFrom: as.templatesFrom}),
  }
  const {install, warnings} = resolveRequest(as.era, located, read, parameters)
  rejectUnnamedRequest(install, as)
  const withPlurals = {
    ...(await withTemplates(install, located, as, ports)),
    requiredPlurals: plurals.get(summary.identity) ?? new Map<string, string>(),
  }
  const origin = resolvedOrigin(planned, pinned, located.files)
  const place = {namespace: request?.namespace, contextNamespace: policy.contextNamespace}
  const notes = request === undefined ? [] : contextNamespaceNote(install.request, place)
  const part = installPart(as.era, withPlurals, origin, as)
  return {part, removal: request?.removal, warnings: [...warnings, ...engineWarnings(install, as)], notes}
}

/** The parameters of an install: those that the user requests now, or else those that the cluster has. */
interface InstallSettings {
  readonly request?: RequestedInstall
  readonly settings: RequestSettings
  readonly pinned?: VersionPin
  readonly as: RenderChoices
}

function requestOf(
  {summary, namespace, name, requestedBy}: PlannedInstall,
  {requested, policy}: Resolvable,
  choices: RenderChoices,
): InstallSettings {
  const request = requestedBy.map(index => requested[index]).find(install => install !== undefined)
  const before = policy.installed?.packages.find(
    installedPackage => installedPackage.namespace === namespace && installedPackage.name === name,
  )
  if (request === undefined) return keptSettings(summary, before, choices)
  const as = request.former === undefined ? choices : asBefore(choices, request.former)
  return {
    request,
    settings: request.parameters,
    pinned: 'pinned' in request ? request.pinned : pinOf(request),
    as: withRendering(as, request.rendering),
  }
}

/** An install that is not requested keeps its parameters and, at the same version, the settings of rendering. */
function keptSettings(
  {tag, digest}: PlannedInstall['summary'],
  before: InstalledPackage | undefined,
  choices: RenderChoices,
): InstallSettings {
  const as = asBefore(choices, before)
  if (before === undefined) return {settings: NO_PARAMETERS, as}
  const {inventory, pin: pinned} = before
  const isSame = before.tag === tag && before.digest === digest
  return {
    settings: inventory?.settings ?? NO_PARAMETERS,
    pinned,
    as: isSame ? withRendering(as, inventory?.rendering) : withRunner(as, inventory?.rendering),
  }
}

const NO_PARAMETERS: RequestSettings = {imagePullSecrets: [], serviceAccountAnnotations: {}}

/** An install that is not requested stays in its era, with a request object if it has one. */
function asBefore(choices: RenderChoices, before: InstalledPackage | undefined): RenderChoices {
  if (before === undefined) return choices
  const hasRequest = before.inventory?.hasRequest === true
  return {...choices, era: ERAS[before.era], includeRequest: choices.includeRequest || hasRequest}
}

/** The same version of a package keeps what it was allowed; a new version needs it again. */
function withRendering(choices: RenderChoices, rendering: RenderingSettings = {}): RenderChoices {
  const {nonStructural, controllerImage: _image, templatesFrom: _from, ...others} = rendering
  const crds = nonStructural === undefined ? choices.crds : {...choices.crds, nonStructural}
  return {...withRunner(choices, rendering), ...others, crds}
}

/** How a template stack runs is kept like its parameters, at any version, unless the command says otherwise. */
function withRunner(
  choices: RenderChoices,
  {controllerImage, templatesFrom}: RenderingSettings = {},
): RenderChoices {
  return {...present({controllerImage, templatesFrom}), ...choices}
}

/** Several packages have an app.yaml: messages name the package before it. */
function of({located}: OpenPackage, warning: Diagnostic): Diagnostic {
  return {...warning, file: warning.file === undefined ? located.name : `${located.name} ${warning.file}`}
}
