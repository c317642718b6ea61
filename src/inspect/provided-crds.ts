import {ANNOTATION_BUDGET, annotationBytes} from '../render/crds.js'
import type {SetObject} from '../render/install-set.js'
import {crdDefinition} from '../unpack/crds.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {PackageCrd} from '../unpack/package.js'
import {compareBytes} from '../unpack/package-file.js'
import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'
import {type UnknownFields, unknownFieldsOf} from './unknown-fields.js'

/** A CRD that the package owns, as installing it would create it. */
export interface ProvidedCrd {
  readonly name: string
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly scope: string
  readonly title?: string
  readonly file: string
  /** The API version of the CRD in the package, and that of the object which is installed. */
  readonly sourceApiVersion: string
  readonly apiVersion: string
  readonly versions: readonly ProvidedVersion[]
  /** The subresources of any served version, sorted. */
  readonly subresources: readonly string[]
  /** Keys and values together, and their share of what Kubernetes allows, to a tenth. */
  readonly annotationBytes: number
  readonly annotationPercent: number
}

export interface ProvidedVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  /** Whether a schema defines the content of its objects. */
  readonly schema: boolean
  /** The handling of fields without a schema. */
  readonly unknownFields: UnknownFields
}

/** The CRDs of a package, by name; `objects` are those of its install set. */
export function providedCrds(crds: readonly PackageCrd[], objects: readonly SetObject[]): ProvidedCrd[] {
  const installed = new Map(objects.map(({object}) => [`${object.kind}/${object.metadata.name}`, object]))
  return crds
    .map(crd => providedCrd(crd, installed.get(`${crd.object.kind}/${crd.definition.name}`) ?? crd.object))
    .sort((a, b) => compareBytes(a.name, b.name))
}

function providedCrd({file, object, metadata}: PackageCrd, installed: KubernetesObject): ProvidedCrd {
  const {name, group, kind, plural, subresources} = crdDefinition(installed)
  const spec = asObject(installed.spec)
  const title = metadata.resource?.title ?? ''
  const bytes = annotationBytes(installed.metadata.annotations ?? {})
  return {
    name,
    group,
    kind,
    plural,
    scope: asText(spec.scope) || 'Namespaced',
    ...(title === '' ? {} : {title}),
    file,
    sourceApiVersion: object.apiVersion,
    apiVersion: installed.apiVersion,
    versions: versionsOf(spec).map(version => providedVersion(installed, version)),
    subresources: (['scale', 'status'] as const).filter(subresource => subresources[subresource]),
    annotationBytes: bytes,
    annotationPercent: Math.round((bytes / ANNOTATION_BUDGET) * 1000) / 10,
  }
}

/** In v1beta1 a version alone is served and stored. */
function versionsOf(spec: JsonObject): readonly JsonObject[] {
  const versions = asObjects(spec.versions)
  return versions.length > 0 ? versions : [{name: asText(spec.version), served: true, storage: true}]
}

function providedVersion(installed: KubernetesObject, version: JsonObject): ProvidedVersion {
  const schema = [version.schema, asObject(installed.spec).validation]
    .map(holder => asObject(holder).openAPIV3Schema)
    .find(value => value !== undefined)
  return {
    name: asText(version.name),
    served: version.served === true,
    storage: version.storage === true,
    schema: schema !== undefined,
    unknownFields: unknownFieldsOf(installed, schema),
  }
}
