import type {GoTypes} from '../unpack/go/go-types.js'
import {listAll, quoted} from '../text.js'
import {isDnsLabel, isDnsSubdomain} from '../reference/kubernetes-names.js'
import {asObject, asText, type JsonObject} from '../yaml/json-value.js'
import type {DeclarationCheck} from './declaration-check.js'
import {outputSegments} from './output-folder.js'

/** The names of layouts: for `kubectl apply -k` and other tools, for Flux, for Argo CD. */
export const LAYOUTS = ['plain', 'flux', 'argocd'] as const

/** The settings of a tree that Flux reconciles. */
export interface FluxSettings {
  /** The name of the Kustomization for the whole tree, and the prefix of the others; by default, from the path. */
  readonly name?: string
  /** The name of the GitRepository. */
  readonly source: string
  /** The namespace of the GitRepository and of the Kustomizations. */
  readonly namespace: string
  /** The time between two reconciliations, as Flux writes it, such as `10m`. */
  readonly interval: string
}

/** The settings of a tree that Argo CD syncs. */
export interface ArgoCdSettings {
  /** The beginning of the names of Applications; by default, from the path of the tree. */
  readonly name?: string
  readonly repoURL: string
  readonly targetRevision: string
  /** The cluster, by the URL of its API server or by its name in Argo CD. */
  readonly destination: {readonly server: string} | {readonly name: string}
  readonly project: string
  /** The namespace of the Applications. */
  readonly namespace: string
  /** Whether retries use the newest commit, which Argo CD before 3.2 cannot do. */
  readonly refresh: boolean
}

/** The settings of Flux that apply where none are given: those of `flux bootstrap`. */
export const FLUX_DEFAULTS: FluxSettings = {
  source: 'flux-system',
  namespace: 'flux-system',
  interval: '10m',
}

/** The settings of Argo CD that apply where none are given: those of its manifests. */
export const ARGOCD_DEFAULTS: Omit<ArgoCdSettings, 'repoURL'> = {
  targetRevision: 'HEAD',
  destination: {server: 'https://kubernetes.default.svc'},
  project: 'default',
  namespace: 'argocd',
  refresh: true,
}

/** The fields of a declaration for the tree; absent ones have their defaults. */
export interface LayoutSettings {
  readonly layout?: (typeof LAYOUTS)[number]
  readonly flux?: Partial<FluxSettings>
  readonly argocd?: Partial<ArgoCdSettings>
  /** Whether another declaration owns the CRDs of the cluster. */
  readonly crds?: 'external'
  /** Whether the base and the Namespaces exist in the cluster, so that the tree does not have them. */
  readonly base?: 'external'
  /** The folder of the tree in a repository, relative to the declaration. */
  readonly output?: string
}

/** The types of the fields. */
export const LAYOUT_TYPES = {
  Flux: {name: 'string*', source: 'string*', namespace: 'string*', interval: 'string*'},
  ArgoCd: {
    name: 'string*',
    repoURL: 'string*',
    targetRevision: 'string*',
    destination: 'Destination*',
    project: 'string*',
    namespace: 'string*',
    refresh: 'boolean*',
  },
  Destination: {server: 'string*', name: 'string*'},
} as const satisfies GoTypes

/** The settings in the fields of a declaration. */
export function layoutSettings({layout, flux, argocd, crds, base, output}: JsonObject): LayoutSettings {
  return {
    ...(layout === undefined ? {} : {layout: LAYOUTS.find(name => name === layout)}),
    ...(flux === undefined ? {} : {flux: asObject(flux)}),
    ...(argocd === undefined ? {} : {argocd: asObject(argocd)}),
    ...(crds === 'external' ? {crds} : {}),
    ...(base === 'external' ? {base} : {}),
    ...(typeof output === 'string' ? {output} : {}),
  }
}

/** Checks the values of the fields, which are those of a whole declaration. */
export function checkLayoutSettings(fields: JsonObject, check: Pick<DeclarationCheck, 'is'>): void {
  const {layout, output} = fields
  const isLayout = layout === undefined || LAYOUTS.some(name => name === layout)
  check.is(['layout'], isLayout, `${quoted(asText(layout))} is not one of ${listAll(LAYOUTS, 'or')}`)
  for (const name of ['crds', 'base'] as const) {
    const isValid = fields[name] === undefined || fields[name] === 'external'
    check.is([name], isValid, 'must be external, or absent')
  }
  const isIncluded = asObject(fields.render).base === true
  check.is(['base'], fields.base === undefined || !isIncluded, 'contradicts render.base: true')
  if (typeof output === 'string') {
    const isBelow = outputSegments(output) !== undefined
    check.is(['output'], isBelow, `${quoted(output)} is not a folder below the one of the declaration`)
  }
  for (const name of ['flux', 'argocd'] as const) {
    check.is([name], fields[name] === undefined || layout === name, `requires layout: ${name}`)
  }
  checkFlux(asObject(fields.flux), check)
  checkArgoCd(asObject(fields.argocd), layout === 'argocd', check)
}

/**
 * Reports whether a URL has a password, or a user name of HTTP, which can be a token. A user name of SSH selects only an
 * account.
 */
export function hasCredentials(url: string): boolean {
  return /^\s*(?:https?:\/\/[^/]*|[a-z][a-z0-9+.-]*:\/\/[^/]*:[^/]*)@/i.test(url)
}

/** Units of Flux: https://fluxcd.io/flux/components/kustomize/kustomizations/#interval */
const INTERVAL = /^(?:[0-9]{1,9}(?:\.[0-9]{1,9})?(?:ms|s|m|h)){1,4}$/

function checkFlux(
  {name, source, namespace, interval}: JsonObject,
  check: Pick<DeclarationCheck, 'is'>,
): void {
  const checkValue = (field: string, value: unknown, holds: (text: string) => boolean, message: string) => {
    if (typeof value === 'string') check.is(['flux', field], holds(value), `${quoted(value)} ${message}`)
  }
  checkValue('name', name, isDnsLabel, 'is not a valid name of a Kustomization')
  checkValue('source', source, isDnsSubdomain, 'is not a valid name of a GitRepository')
  checkValue('namespace', namespace, isDnsLabel, 'is not a valid namespace name')
  checkValue('interval', interval, text => INTERVAL.test(text), 'is not a duration such as 10m')
}

function checkArgoCd(
  {name, repoURL, namespace, destination}: JsonObject,
  isUsed: boolean,
  check: Pick<DeclarationCheck, 'is'>,
): void {
  if (isUsed) check.is(['argocd'], asText(repoURL) !== '', 'requires repoURL')
  if (typeof repoURL === 'string') {
    const isSafe = !hasCredentials(repoURL)
    check.is(['argocd', 'repoURL'], isSafe, 'contains credentials, which must not be committed')
  }
  if (typeof name === 'string') {
    const message = `${quoted(name)} is not a valid name of an Application`
    check.is(['argocd', 'name'], isDnsLabel(name), message)
  }
  if (typeof namespace === 'string') {
    check.is(
      ['argocd', 'namespace'],
      isDnsLabel(namespace),
      `${quoted(namespace)} is not a valid namespace name`,
    )
  }
  if (destination !== undefined) {
    const isOne = Object.keys(asObject(destination)).length === 1
    check.is(['argocd', 'destination'], isOne, 'must have either server or name')
  }
}
