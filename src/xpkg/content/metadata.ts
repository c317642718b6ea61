import {present} from '../../present.js'
import {quoted} from '../../text.js'
import {type DiagnosticCollector, type SourceDocument, warningAt} from '../../unpack/diagnostics.js'
import {
  asObject,
  asText,
  asTexts,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {plainCapability} from '../core-release.js'
import {checkConstraint} from './check-constraint.js'
import {readDependencies} from './dependencies.js'
import {XPKG_KINDS} from './object-kinds.js'
import type {Xpkg} from './xpkg.js'

/** Reads the metadata object of a package, of any of its versions: the fields are the same in all. */
export function readMetadata(
  document: SourceDocument,
  object: JsonObject,
  collector: DiagnosticCollector,
): Omit<Xpkg, 'objects'> | undefined {
  const kind = XPKG_KINDS.find(served => served === object.kind)
  if (kind === undefined) return undefined
  const metadata = asObject(object.metadata)
  const spec = asObject(object.spec)
  const crossplane = isJsonObject(spec.crossplane) ? asText(spec.crossplane.version) : undefined
  if (crossplane !== undefined) {
    const path = ['spec', 'crossplane', 'version']
    checkConstraint(crossplane, {document, path, collector}, 'xpkg-core-constraint')
  }
  const capabilities = asTexts(spec.capabilities)
  checkCapabilities(document, capabilities, collector)
  return {
    kind,
    apiVersion: asText(object.apiVersion),
    name: asText(metadata.name),
    labels: texts(metadata.labels),
    annotations: texts(metadata.annotations),
    ...(crossplane === undefined ? {} : {crossplane}),
    dependencies: readDependencies(document, spec, collector),
    capabilities,
    ...present({formerImage: formerImage(kind, document.yaml.value)}),
  }
}

/** Crossplane since 2.0 ignores the field, and the Go types of its metadata have none. */
function formerImage(kind: string, source: JsonValue): string | undefined {
  const spec = asObject(asObject(source).spec)
  const fields = kind === 'Provider' ? asObject(spec.controller) : kind === 'Function' ? spec : {}
  return asText(fields.image) || undefined
}

function texts(value: JsonObject[string] | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(asObject(value)).map(([key, text]) => [key, asText(text)]))
}

/** Those that a core uses. */
const CAPABILITIES = ['safestart', 'composition', 'operation']

function checkCapabilities(
  document: SourceDocument,
  capabilities: readonly string[],
  collector: DiagnosticCollector,
): void {
  for (const [index, capability] of capabilities.entries()) {
    if (CAPABILITIES.includes(plainCapability(capability))) continue
    const message = `${quoted(capability)} has no effect: no release of Crossplane uses it`
    const path = ['spec', 'capabilities', index]
    warningAt(document, {rule: 'xpkg-capability', path, message}, collector)
  }
}

/** Fields of earlier releases, by which a package was run with another image or more permissions. */
export const REMOVED_FIELDS: ReadonlyMap<string, string> = new Map([
  ['spec.controller', 'the image of the package itself is run'],
  ['spec.image', 'the image of the package itself is run'],
])
