import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {CrossplaneError} from '../errors.js'
import type {CrdMetadata, Package, PackageCrd} from '../unpack/package.js'
import type {Era} from './era.js'

import {MANAGED_BY_LABEL, type Labels, SCOPE_LABEL, withoutClaims} from './labels.js'

/**
 * Returns a package's CRD as it is installed, without the claims of installs: with labels, and annotations from
 * metadata files.
 */
export function installedCrd(
  era: Era,
  owner: Pick<Package, 'permissionScope' | 'title'>,
  crd: PackageCrd,
): KubernetesObject {
  const {labels, annotations = {}} = crd.object.metadata
  const installed = {
    ...crd.object,
    metadata: {
      name: crd.definition.name,
      labels: {
        // A package cannot have claims of unknown installs: such a label would keep the CRD on uninstall.
        ...withoutClaims(labels ?? {}),
        [MANAGED_BY_LABEL]: era.managedBy,
        [SCOPE_LABEL]: owner.permissionScope === 'Cluster' ? 'environment' : 'namespace',
      },
      annotations: {...annotations, ...annotationsOf(era, owner.title, crd, annotations)},
    },
  }
  rejectLargeAnnotations(crd, installed.metadata.annotations)
  return installed
}

/** Adds claims to a CRD. */
export function withClaims(crd: KubernetesObject, claims: Labels): KubernetesObject {
  const {metadata} = crd
  return {...crd, metadata: {...metadata, labels: {...metadata.labels, ...claims}}}
}

function annotationsOf(
  era: Era,
  title: string,
  crd: PackageCrd,
  own: Readonly<Record<string, string>>,
): Labels {
  return {
    [era.annotationPrefix + era.titleAnnotation]: title,
    ...metadataAnnotations(era, crd.metadata, own),
  }
}

/** The annotations of a CRD from metadata files, added to its own. */
export function metadataAnnotations(
  era: Era,
  metadata: CrdMetadata,
  own: Readonly<Record<string, string>>,
): Labels {
  const {icon} = metadata
  const values: Record<string, string> = {
    ...groupAnnotations(metadata),
    ...resourceAnnotations(metadata),
    ...(icon === undefined ? {} : {'icon-data-uri': `data:${icon.mediatype};base64,${icon.base64Data}`}),
    ...uiSchemaAnnotation(metadata, own[`${era.annotationPrefix}ui-schema`]),
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [era.annotationPrefix + name, value]),
  )
}

function groupAnnotations({group}: CrdMetadata): Record<string, string> {
  if (group === undefined) return {}
  return {
    'group-title': group.title,
    'group-category': group.category,
    'group-readme': group.readme,
    'group-overview': group.overview,
    'group-overview-short': group.overviewShort,
  }
}

function resourceAnnotations({resource}: CrdMetadata): Record<string, string> {
  if (resource === undefined) return {}
  return {
    'resource-title': resource.title,
    'resource-title-plural': resource.titlePlural,
    'resource-category': resource.category,
    'resource-readme': resource.readme,
    'resource-overview': resource.overview,
    'resource-overview-short': resource.overviewShort,
  }
}

function uiSchemaAnnotation({uiSchemas}: CrdMetadata, own: string | undefined): Record<string, string> {
  if (uiSchemas.length === 0) return {}
  const joined = uiSchemas.reduce(
    (text, schema) => (text === '' ? schema : `${text}\n---\n${schema}`),
    own ?? '',
  )
  return {'ui-schema': joined}
}

/** The limit of Kubernetes for the annotations of an object, keys and values together, in bytes. */
export const ANNOTATION_BUDGET = 256 * 1024

/** The size of annotations, as counted for the limit. */
export function annotationBytes(annotations: Labels): number {
  return Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
}

function rejectLargeAnnotations(crd: PackageCrd, annotations: Labels): void {
  const size = annotationBytes(annotations)
  if (size <= ANNOTATION_BUDGET) return
  const {name} = crd.definition
  const message = `the annotations of ${name} take ${size} bytes, but Kubernetes allows only ${ANNOTATION_BUDGET}`
  throw new CrossplaneError('package-invalid', message, {
    diagnostics: [{severity: 'error', rule: 'annotations-size', message, file: crd.file}],
    suggestions: ['Shorten the icon, the ui-schema or the readme that apply to this CRD.'],
  })
}
