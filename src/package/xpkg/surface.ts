import {schemaOf} from '../../kubernetes/crd-kind.js'
import {convertCrd} from '../../crd/convert/convert-crd.js'
import {CrossplaneError} from '../../errors.js'
import {permissionTexts} from '../../inspect/permission-texts.js'
import {judgedXpkg} from '../../inspect/policy/judged-xpkg.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import {expandSet} from '../../render/xpkg/expand/expand-set.js'
import {readAs} from '../../unpack/go/go-types.js'
import {KUBERNETES_TYPES} from '../../unpack/go/kubernetes-types.js'
import {invalidPackage} from '../../unpack/read-package.js'
import {
  type ComposingObject,
  composingObject,
  type CrdSurface,
  crdSurface,
  type PackageSurface,
  type SurfaceOptions,
  type UnreadPart,
} from '../../usage/package-surface.js'
import {type CheckedObject, examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import {connectionKeysOf} from '../../xpkg/content/definitions.js'
import {belongsIn} from '../../xpkg/content/object-kinds.js'
import type {PackageObject} from '../../xpkg/content/package-content.js'
import type {Xpkg} from '../../xpkg/content/xpkg.js'
import {compositionChoice, crdOfMrd, crdsOfXrd} from '../../xpkg/content/xrd-crds.js'
import {asObject, asObjects, type JsonObject} from '../../yaml/json-value.js'

/** Returns what users of a package depend on. Throws `package-invalid` for one that Crossplane cannot read. */
export function surfaceOfXpkg(
  located: Pick<LocatedPackage, 'name' | 'files' | 'folder'>,
  options?: Partial<SurfaceOptions>,
): PackageSurface {
  const {name, files, folder} = located
  const objects: PackageObject[] = []
  const read: ReadCrd[] = []
  const unread: UnreadPart[] = []
  const activation: ActivationParts = {policies: [], compositions: []}
  // One after the other: the values of a thousand CRDs take ten times the memory of their text.
  const {xpkg, errors} = examineXpkg(files, object => {
    if (isDefinition(object)) objects.push(withoutSchemas(object))
    read.push(...readCrds(object, unread))
    addActivation(object, activation)
  })
  if (xpkg === undefined || errors.length > 0) throw invalidPackage(name, errors, folder)
  const isFunction = xpkg.kind === 'Function'
  return {
    crds: read.map(({crd, source, more}) =>
      crdSurface(crd, isFunction ? 'function-input' : source, {...options, ...more}),
    ),
    facts: {...factsOf(xpkg), ...runFacts(xpkg, objects)},
    unread,
    activation: {
      ...activationFacts(xpkg),
      ...activation,
      policies: belongsIn(xpkg.kind, 'activation-policy') ? activation.policies : [],
    },
  }
}

/** Returns the Compositions of a package that can be read. */
export function compositionsOfXpkg({files}: Pick<LocatedPackage, 'files'>): readonly JsonObject[] {
  const compositions: JsonObject[] = []
  examineXpkg(files, ({role, decoded}) => {
    if (role === 'composition') compositions.push(decoded)
  })
  return compositions
}

interface ActivationParts {
  readonly policies: KubernetesObject[]
  readonly compositions: ComposingObject[]
}

function addActivation(
  {role, decoded, document}: CheckedObject,
  {policies, compositions}: ActivationParts,
): void {
  if (role === 'activation-policy') policies.push(decoded as KubernetesObject)
  if (role !== 'composition' && role !== 'operation') return
  compositions.push(composingObject(decoded, document.name, path => document.yaml.lineOf(path)))
}

/** Functions call no kinds, and their lines are not of interest. */
function activationFacts({kind, capabilities, objects}: Xpkg) {
  const used = objects.filter(({role}) => role !== 'xrd' && role !== 'webhook')
  return {kind, capabilities, objects: used.map(({crds: _crds, ...object}) => object)}
}

interface ReadCrd {
  readonly crd: KubernetesObject
  readonly source: CrdSurface['source']
  readonly more?: Partial<Pick<CrdSurface, 'connectionKeys' | 'isInactive' | 'choice'>>
}

function readCrds({role, decoded}: CheckedObject, unread: UnreadPart[]): readonly ReadCrd[] {
  const spec = asObject(decoded.spec)
  if (role === 'mrd') {
    // Without a state, the core's is Inactive.
    const more = {connectionKeys: connectionKeysOf(role, spec), isInactive: spec.state !== 'Active'}
    return [{crd: crdOfMrd(withTypedSchemas(decoded)), source: 'mrd', more}]
  }
  if (role === 'xrd') {
    const [composite, ...claims] = crdsOfXrd(withTypedSchemas(decoded))
    const more = {connectionKeys: connectionKeysOf(role, spec), choice: compositionChoice(decoded)}
    return [
      ...(composite === undefined ? [] : [{crd: composite, source: 'xrd' as const, more}]),
      ...claims.map(crd => ({crd, source: 'claim' as const, more})),
    ]
  }
  return role === 'crd' ? currentCrds(decoded as KubernetesObject, unread) : []
}

/** A CRD of v1 is read as it is; one of v1beta1 cannot always be converted. */
function currentCrds(crd: KubernetesObject, unread: UnreadPart[]): readonly ReadCrd[] {
  if (crd.apiVersion === 'apiextensions.k8s.io/v1') return [{crd, source: 'crd'}]
  try {
    return [{crd: convertCrd(crd, {nonStructural: 'preserve'}).crd, source: 'crd'}]
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    unread.push({name: crd.metadata.name, reason: error.message})
    return []
  }
}

/** Crossplane reads the schemas of XRDs and MRDs when it derives CRDs of them. */
function withTypedSchemas(definition: JsonObject): JsonObject {
  const spec = asObject(definition.spec)
  const versions = asObjects(spec.versions).map(version => {
    const schema = schemaOf(version)
    const {value} = readAs('apiextensions.v1.JSONSchemaProps', KUBERNETES_TYPES, schema, 'exact')
    return {...version, schema: {openAPIV3Schema: value}}
  })
  return {...definition, spec: {...spec, versions}}
}

function isDefinition({role}: CheckedObject): boolean {
  return role === 'crd' || role === 'mrd' || role === 'xrd'
}

/** Permissions follow from the names of kinds. */
function withoutSchemas({role, decoded}: CheckedObject): PackageObject {
  return {role, value: {...decoded, spec: {...asObject(decoded.spec), versions: []}}}
}

function factsOf({dependencies, capabilities, objects}: Xpkg) {
  return {
    capability: capabilities,
    dependency: dependencies.map(({package: repository, version}) => `${repository} ${version}`),
    function: [...new Set(objects.flatMap(({functions}) => functions.map(step => step.function)))],
    composition: objects.flatMap(({role, name}) => (role === 'composition' ? [name] : [])),
  }
}

/** Takes the place of the reference: each version has another image. */
const OWN_IMAGE = 'package.invalid/package:version'

function runFacts(xpkg: Xpkg, objects: readonly PackageObject[]) {
  const {kind, labels, annotations, capabilities} = xpkg
  const content = {metadata: {labels, annotations, capabilities}, objects}
  const request = {apiVersion: 'pkg.crossplane.io/v1', kind, metadata: {name: 'package'}}
  const expanded = expandSet([{request, reference: OWN_IMAGE, image: OWN_IMAGE, content}], [])
  const selected = {...xpkg, repository: 'package', version: 'version'}
  const judged = judgedXpkg({
    ...{selected, name: 'package', isRequested: true, objects: [...expanded.values()].flat()},
  })
  const images = judged.images.map(({reference}) => reference).filter(image => image !== OWN_IMAGE)
  return {permission: permissionTexts(judged), image: [...new Set(images)]}
}
