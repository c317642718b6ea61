import type {DeclaredXpkgSettings} from '../declaration/xpkg-settings.js'
import {type CrdApiVersion, crdApiVersionFor, servesV1beta1} from '../crd/kube-version.js'
import type {ServerVersion} from '../cluster/api/cluster-api.js'
import type {LayoutSettings} from '../declaration/layout-settings.js'
import type {RenderSettings} from '../declaration/render-settings.js'
import {CrossplaneError} from '../errors.js'
import {present} from '../present.js'
import {ERAS} from '../render/era.js'
import {flagAndField, type ReadDeclaration} from '../pipeline/request/given-settings.js'
import type {RenderChoices} from '../render/render-part.js'

/** How a command line says that packages are rendered. */
export interface GivenChoices {
  /** Settings of flags. A declaration must not have them too. */
  readonly flags: RenderSettings
  /** Settings of environment variables, and defaults. Those of a declaration take precedence. */
  readonly defaults: RenderSettings
  /** Reads the version of the cluster to render for, if there is one. It gets its CRDs as v1. */
  readonly server?: () => Promise<ServerVersion>
  /** As in `RenderChoices`. */
  readonly withPackages?: boolean
  /** Present for the files of a tree, with the layout of a flag. */
  readonly tree?: Pick<LayoutSettings, 'layout'>
}

/** The flag of each setting. */
export const RENDER_FLAGS = {
  api: 'api',
  base: 'with-package-api',
  createNamespace: 'create-namespace',
  includeRequest: 'include-request',
  kubeVersion: 'kube-version',
  crdVersion: 'crd-version',
  nonStructural: 'non-structural',
  pin: 'no-pin-image',
  allowCorePermissions: 'allow-core-permissions',
  allowFullDeployment: 'allow-full-deployment',
  controllerImage: 'controller-image',
  templatesFrom: 'templates-from',
} as const satisfies Record<keyof RenderSettings, string>

/** The flag of each setting for packages for a current Crossplane that a declaration can have. */
export const XPKG_SETTING_FLAGS = {
  pin: 'pin',
  resolver: 'resolver',
  activate: 'activate',
  revisionActivationPolicy: 'revision-activation-policy',
  revisionHistoryLimit: 'revision-history-limit',
} as const satisfies Record<Exclude<keyof DeclaredXpkgSettings, 'imageConfigs' | 'mirrors'>, string>

/** Joins the settings of a command line and a declaration. Throws `usage` if they have one with different values. */
export function renderChoices(
  {flags, defaults, server, withPackages, tree}: GivenChoices,
  declaration?: ReadDeclaration,
): RenderChoices {
  if (declaration !== undefined) rejectBoth(flags, declaration)
  const included = tree === undefined ? {} : includedInTree(tree, declaration?.content.tree)
  const settings: RenderSettings = {...defaults, ...included, ...declaration?.content.render, ...flags}
  const apiVersion = server === undefined ? crdApiVersion(settings) : 'v1'
  return {...choicesOf(settings, apiVersion), withPackages}
}

/**
 * A tree is deployed to an empty cluster, unless its declaration says that the base and the Namespaces exist. The base
 * has CRDs, which only one declaration owns. Files that no controller and no declaration are for are as requested.
 */
function includedInTree(
  {layout = 'plain'}: NonNullable<GivenChoices['tree']>,
  declared: LayoutSettings | undefined,
): RenderSettings {
  if (declared === undefined && layout === 'plain') return {}
  if (declared?.base === 'external') return {}
  return {base: declared?.crds !== 'external', createNamespace: true}
}

function rejectBoth(flags: RenderSettings, declaration: ReadDeclaration): void {
  const names = Object.keys(RENDER_FLAGS) as (keyof RenderSettings)[]
  const {render} = declaration.content
  const both = names.find(
    name => flags[name] !== undefined && render[name] !== undefined && flags[name] !== render[name],
  )
  if (both !== undefined) throw flagAndField(`--${RENDER_FLAGS[both]}`, `render.${both}`, declaration)
  const {base} = declaration.content.tree
  if (flags.base === true && base !== undefined) throw flagAndField('--with-package-api', 'base', declaration)
}

function choicesOf(settings: RenderSettings, apiVersion: CrdApiVersion): RenderChoices {
  const {api = 'packages', nonStructural = 'refuse'} = settings
  const {base = false, createNamespace = false, includeRequest = false} = settings
  const {allowCorePermissions = false, allowFullDeployment = false, pin = true} = settings
  const {controllerImage, templatesFrom} = settings
  return {
    era: ERAS[api],
    base,
    createNamespace,
    includeRequest,
    allowCorePermissions,
    allowFullDeployment,
    ...present({controllerImage, templatesFrom}),
    crds: {apiVersion, nonStructural},
    pin,
  }
}

/** `v1`, unless the cluster is too old for it or another version is requested. */
function crdApiVersion({crdVersion: requested, kubeVersion: kube}: RenderSettings): CrdApiVersion {
  if (requested === undefined) return kube === undefined ? 'v1' : crdApiVersionFor(kube)
  if (kube !== undefined && requested === 'v1beta1' && !servesV1beta1(kube)) {
    throw new CrossplaneError('usage', `the CRD version v1beta1 is not served by Kubernetes ${kube}`, {
      suggestions: ['Leave out the CRD version: CRDs are converted to v1.'],
    })
  }
  return requested
}
