import {nameOf} from '../../kubernetes/object-key.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {documentsIn, objectIn} from './object-in-file.js'
import {ARGOCD_START, FLUX_START} from './tree-guard.js'
import type {TreeFormat, TreeSettings} from './tree-settings.js'

/** The files of an object of a package, or of one that pins packages. */
const PACKAGE = /(?:^|\/)(?:provider|configuration|function|imageconfig)-[^/]*\.yaml$/
const APPLICATION = /^argocd\/applications\/[^/]+\.yaml$/
const DEPLOYMENT = /^installs\/[^/]+\/deployment-[^/]*\.yaml$/

/** Selects the files from which the settings of a tree of an earlier release are inferred. */
export function filesToInferFrom(listed: readonly string[]): readonly string[] {
  // All Applications have the same destination.
  const application = listed.find(path => APPLICATION.test(path))
  const others = [ARGOCD_START, FLUX_START, application]
  return listed.filter(path => others.includes(path) || PACKAGE.test(path) || DEPLOYMENT.test(path))
}

/** Reports whether a file shows the options of a layout. */
export function showsOptions(path: string): boolean {
  return path === ARGOCD_START || path === FLUX_START
}

/** Returns the layout of a tree, by its managed files. */
export function inferredLayout(listed: Iterable<string>): 'plain' | 'flux' | 'argocd' {
  const folders = new Set([...listed].map(path => path.replace(/\/.*/, '')))
  return folders.has('argocd') ? 'argocd' : folders.has('flux') ? 'flux' : 'plain'
}

/**
 * Infers the settings of a tree that has none, because an earlier release wrote it, from its managed files: its layout with
 * the options of the controller, and how packages are pinned. What the files do not show is not among them.
 */
export function inferredSettings(
  listed: readonly string[],
  texts: ReadonlyMap<string, string>,
  treeName: string,
): TreeSettings {
  const layout = inferredLayout(listed)
  const objects = [...texts].flatMap(([path, text]) => {
    const object = PACKAGE.test(path) ? objectIn(text) : undefined
    return object === undefined ? [] : [object]
  })
  const requests = objects.filter(({kind}) => kind !== 'ImageConfig')
  const isStack = listed.some(path => path.startsWith('installs/'))
  const formats: readonly TreeFormat[] = [
    ...(isStack ? (['stack'] as const) : []),
    ...(requests.length > 0 ? (['xpkg'] as const) : []),
  ]
  const fields: readonly (readonly [string, JsonValue | undefined])[] = [
    ['layout', layout],
    ...(layout === 'argocd' ? argocdOptions(documentsAt(ARGOCD_START, texts), treeName) : []),
    ['argocd.destination', layout === 'argocd' ? destinationIn(texts) : undefined],
    ...(layout === 'flux' ? fluxOptions(documentsAt(FLUX_START, texts), treeName) : []),
    ['render.pin', stackPin(texts)],
    ['xpkg.pin', xpkgPin(objects, requests)],
    ['xpkg.resolver', isUnresolved(requests) && xpkgPin(objects, requests) !== 'digest' ? 'off' : undefined],
  ]
  return {
    formats,
    fields: new Map(fields.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]]))),
  }
}

function documentsAt(path: string, texts: ReadonlyMap<string, string>): readonly JsonObject[] {
  return (documentsIn(texts.get(path) ?? '') ?? []).map(asObject)
}

type Options = readonly (readonly [string, JsonValue | undefined])[]

function argocdOptions([start = {}]: readonly JsonObject[], treeName: string): Options {
  const {spec, metadata} = start
  const {source, project, syncPolicy} = asObject(spec)
  const {repoURL, targetRevision} = asObject(source)
  const {name, namespace} = asObject(metadata)
  const {refresh} = asObject(asObject(syncPolicy).retry)
  const prefix = asText(name).replace(/-applications$/, '')
  return [
    ['argocd.name', prefix === asText(name) || prefix === treeName ? undefined : prefix],
    ...Object.entries({repoURL, targetRevision, project, namespace}).map(
      ([option, value]) => [`argocd.${option}`, value] as const,
    ),
    ['argocd.refresh', repoURL === undefined ? undefined : refresh === true],
  ]
}

function destinationIn(texts: ReadonlyMap<string, string>): JsonValue | undefined {
  const [path = ''] = [...texts.keys()].filter(name => APPLICATION.test(name)).sort()
  const [application = {}] = documentsAt(path, texts)
  return asObject(application.spec).destination
}

function fluxOptions(documents: readonly JsonObject[], treeName: string): Options {
  const {spec, metadata} = documents.find(({kind}) => kind === 'Kustomization') ?? {}
  const {interval, sourceRef} = asObject(spec)
  const {name, namespace} = asObject(metadata)
  return [
    ['flux.name', name === treeName ? undefined : name],
    ['flux.source', asObject(sourceRef).name],
    ['flux.namespace', namespace],
    ['flux.interval', interval],
  ]
}

/** How xpkgs are pinned: by ImageConfigs that rewrite tags, by digests, or by tags alone. */
function xpkgPin(objects: readonly JsonObject[], requests: readonly JsonObject[]): string | undefined {
  const references = requests.map(({spec}) => asText(asObject(spec).package))
  if (references.length === 0) return undefined
  if (objects.some(({kind, spec}) => kind === 'ImageConfig' && isPin(asObject(spec)))) return 'config'
  return references.every(reference => reference.includes('@sha256:')) ? 'digest' : undefined
}

function isUnresolved(requests: readonly JsonObject[]): boolean {
  return requests.some(({spec}) => asObject(spec).skipDependencyResolution === true)
}

function isPin({rewriteImage}: JsonObject): boolean {
  return asText(asObject(rewriteImage).prefix).includes('@sha256:')
}

/** Images that are named by tag and digest were pinned; without one, digests may have been unknown. */
function stackPin(texts: ReadonlyMap<string, string>): true | undefined {
  const isPinned = [...texts].some(
    ([path, text]) => DEPLOYMENT.test(path) && imagesIn(objectIn(text)).some(image => PINNED.test(image)),
  )
  return isPinned ? true : undefined
}

const PINNED = /:[^/:@]+@sha256:[0-9a-f]{64}$/

function imagesIn(deployment: JsonObject | undefined): readonly string[] {
  if (deployment === undefined || nameOf(deployment).kind !== 'Deployment') return []
  const {containers} = asObject(asObject(asObject(deployment.spec).template).spec)
  return asObjects(containers).map(({image}) => asText(image))
}
