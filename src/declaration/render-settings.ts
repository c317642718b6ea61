import {type CrdApiVersion, isKubeVersion, servesV1beta1} from '../crd/kube-version.js'
import {ERA_NAMES, type EraName} from '../reference/era-name.js'
import {parseImageName} from '../reference/image-name.js'
import {quoted} from '../text.js'
import type {GoTypes} from '../unpack/go/go-types.js'
import {asText, type JsonObject} from '../yaml/json-value.js'
import type {DeclarationCheck} from './declaration-check.js'

/** The settings of rendering that affect the bytes of all packages; one that is absent has its default. */
export interface RenderSettings {
  /** The package API: the era of requests and records. */
  readonly api?: EraName
  readonly base?: boolean
  readonly createNamespace?: boolean
  readonly includeRequest?: boolean
  /** The Kubernetes to render for. */
  readonly kubeVersion?: string
  readonly crdVersion?: CrdApiVersion
  /** The handling of schemas that v1 cannot express. */
  readonly nonStructural?: 'refuse' | 'preserve'
  /** Whether the images of packages are pinned to their digests. */
  readonly pin?: boolean
  readonly allowCorePermissions?: boolean
  readonly allowFullDeployment?: boolean
  /** The image of the controllers of template stacks, in place of those that packages name. */
  readonly controllerImage?: string
  /** Where the controllers of template stacks read their templates. */
  readonly templatesFrom?: 'image' | 'inline'
}

/** The settings that affect a single install, other than the API. */
export type RenderingSettings = Pick<
  RenderSettings,
  | 'allowCorePermissions'
  | 'allowFullDeployment'
  | 'controllerImage'
  | 'nonStructural'
  | 'pin'
  | 'templatesFrom'
>

/** The types of the fields, each with the name of its setting. Absence and `false` differ. */
export const RENDER_FIELDS: GoTypes[string] = {
  api: 'string*',
  base: 'boolean*',
  createNamespace: 'boolean*',
  includeRequest: 'boolean*',
  kubeVersion: 'string*',
  crdVersion: 'string*',
  nonStructural: 'string*',
  pin: 'boolean*',
  allowCorePermissions: 'boolean*',
  allowFullDeployment: 'boolean*',
  controllerImage: 'string*',
  templatesFrom: 'string*',
} satisfies Record<keyof RenderSettings, string>

/** The values of settings that have few. */
const VALUES = {
  api: ERA_NAMES,
  crdVersion: ['v1', 'v1beta1'],
  nonStructural: ['refuse', 'preserve'],
  templatesFrom: ['image', 'inline'],
} as const satisfies {readonly [Name in keyof RenderSettings]?: readonly RenderSettings[Name][]}

/** Checks the values of the fields. */
export function checkRenderSettings(fields: JsonObject, check: Pick<DeclarationCheck, 'is' | 'words'>): void {
  check.words(['render'], fields, VALUES)
  const image = fields.controllerImage
  const isImage = image === undefined || parseImageName(asText(image)) !== undefined
  check.is(['render', 'controllerImage'], isImage, `${quoted(asText(image))} is not an image reference`)
  if (fields.kubeVersion === undefined) return
  const version = asText(fields.kubeVersion)
  const isVersion = isKubeVersion(version)
  check.is(['render', 'kubeVersion'], isVersion, `${quoted(version)} is not a version such as "1.20"`)
  const isServed = !isVersion || fields.crdVersion !== 'v1beta1' || servesV1beta1(version)
  check.is(['render', 'crdVersion'], isServed, `v1beta1 is not served by Kubernetes ${version}`)
}
