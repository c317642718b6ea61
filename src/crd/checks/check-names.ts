import {singularName} from '../../kubernetes/singular-name.js'
import {needsApproval} from '../../kubernetes/api-groups.js'
import {asObject, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import {
  isDns1035Label,
  isDnsSubdomain,
  isLabelValue,
  isQualifiedName,
} from '../../reference/kubernetes-names.js'
import {child, entry, item, type Report, type Spot} from '../schema-diagnostic.js'

const SPEC: Spot = {path: 'spec', place: ['spec']}
const METADATA: Spot = {path: 'metadata', place: ['metadata']}
/** Keys and values together, as for every object. */
const ANNOTATION_BYTES = 256 * 1024

/** Reports errors in the object's own metadata. */
export function checkMetadata(crd: JsonObject, report: Report): void {
  const metadata = asObject(crd.metadata)
  const spec = asObject(crd.spec)
  const name = asText(metadata.name)
  const [plural, group] = [asText(asObject(spec.names).plural), asText(spec.group)]
  const expected = `${plural || 'PLURAL'}.${group || 'GROUP'}`
  if (name !== expected) report('metadata', child(METADATA, 'name'), `the name must be ${expected}`)
  else if (!isDnsSubdomain(name)) {
    report('metadata', child(METADATA, 'name'), `${name} is not a lowercase DNS subdomain`)
  }
  checkLabel(asObject(metadata.labels), report)
  checkAnnotation(asObject(metadata.annotations), report)
  checkApproval(asText(spec.group), asObject(metadata.annotations), report)
}

function checkLabel(labels: JsonObject, report: Report): void {
  for (const [key, value] of Object.entries(labels)) {
    if (isQualifiedName(key) && isLabelValue(asText(value))) continue
    report('metadata', child(METADATA, 'labels'), `${key}: ${asText(value)} is not a valid label`)
  }
}

function checkAnnotation(annotations: JsonObject, report: Report): void {
  const spot = child(METADATA, 'annotations')
  let size = 0
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(asText(value))
    if (!isQualifiedName(key.toLowerCase())) report('metadata', spot, `${key} is not a valid annotation key`)
  }
  if (size > ANNOTATION_BYTES)
    report('metadata', spot, `they have ${size} bytes, but only ${ANNOTATION_BYTES} are allowed`)
}

const APPROVAL = 'api-approved.kubernetes.io'

function checkApproval(group: string, annotations: JsonObject, report: Report): void {
  if (!needsApproval(group)) return
  const approval = asText(annotations[APPROVAL])
  if (approval.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+/i.test(approval)) return
  const message = `${group} belongs to the Kubernetes community, which approves its CRDs by this annotation`
  report('api-approval', entry(child(METADATA, 'annotations'), APPROVAL), message)
}

/** Reports errors in group, scope and names. */
export function checkNames(spec: JsonObject, report: Report): void {
  const group = asText(spec.group)
  if (!isDnsSubdomain(group) || !group.includes('.')) {
    report('group', child(SPEC, 'group'), 'the group must be a DNS subdomain with a dot')
  }
  if (spec.scope !== 'Namespaced' && spec.scope !== 'Cluster') {
    report('scope', child(SPEC, 'scope'), 'the scope must be Namespaced or Cluster')
  }
  if (spec.preserveUnknownFields === true) {
    const message = 'v1 keeps unknown fields only where the schema has x-kubernetes-preserve-unknown-fields'
    report('preserve-unknown-fields', child(SPEC, 'preserveUnknownFields'), message)
  }
  checkWord(asObject(spec.names), report)
}

function checkWord(names: JsonObject, report: Report): void {
  const spot = child(SPEC, 'names')
  const kind = asText(names.kind)
  // Defaults are derived from the kind, also if the kind is not a valid label.
  const words = {
    plural: asText(names.plural),
    singular: singularName(names),
    kind: kind.toLowerCase(),
    listKind: listKindOf(names).toLowerCase(),
  }
  for (const [name, word] of Object.entries(words)) {
    if (!isDns1035Label(word)) report('names', child(spot, name), `${name} must be a DNS label`)
  }
  if (kind !== '' && kind === listKindOf(names)) {
    report('names', child(spot, 'listKind'), 'kind and listKind must differ')
  }
  for (const list of ['shortNames', 'categories']) {
    asTexts(names[list]).forEach((word, index) => {
      if (!isDns1035Label(word)) report('names', item(child(spot, list), index), `${word} is not a DNS label`)
    })
  }
}

function listKindOf(names: JsonObject): string {
  const kind = asText(names.kind)
  return asText(names.listKind) || (kind === '' ? '' : `${kind}List`)
}
