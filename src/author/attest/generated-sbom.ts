import type {Descriptor, Digest} from '../../fetch/image.js'
import {parseImageName} from '../../reference/image-name.js'
import {formatRepository, type Repository, repositoryOf} from '../../reference/repository.js'
import type {Statement} from '../../signatures/statement.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {CYCLONEDX} from './given-sbom.js'
import {imagePurl} from './image-purl.js'
import type {PackageDependency, PackagedCrd, SbomContents} from './sbom-contents.js'

/** The package that an SBOM is about, and what was read of it. */
export interface SbomSubject {
  readonly repository: Repository
  readonly tag: string
  readonly digest: Digest
  /** The version of this program. */
  readonly version: string
  readonly layers: readonly Descriptor[]
  readonly contents: SbomContents
  /** The digests of images that the package names by tag, as far as they were read. */
  readonly digests: ReadonlyMap<string, Digest>
}

/**
 * Describes what a package consists of as CycloneDX does: its layers and CRDs, the images that it runs and what it depends on.
 * The same package gives the same document. https://cyclonedx.org/docs/1.6/json/
 */
export function generatedSbom(subject: SbomSubject): Statement {
  const {repository, tag, digest, version, layers, contents, digests} = subject
  const purl = imagePurl(repository, {digest, tag})
  const parts = [...layers.map(layerComponent), ...contents.crds.map(crdComponent)]
  const required = [
    ...contents.images.map(image => imageComponent(image, digests.get(image))),
    ...contents.dependencies.map(dependencyComponent),
  ]
  const root = {
    ...{type: 'container', 'bom-ref': purl, name: formatRepository(repository), version: tag},
    ...{hashes: sha256(digest), purl},
  }
  const components = uniqueComponents([...parts, ...required])
  return {
    predicateType: CYCLONEDX,
    predicate: {
      ...{bomFormat: 'CycloneDX', specVersion: '1.6', version: 1},
      metadata: {
        tools: {components: [{type: 'application', name: 'kubectl-crossplane', version}]},
        component: root,
      },
      components,
      dependencies: [{ref: purl, dependsOn: components.map(component => component['bom-ref'])}],
    },
  }
}

type Component = JsonObject & {readonly 'bom-ref': string}

function uniqueComponents(components: readonly Component[]): readonly Component[] {
  return [...new Map(components.map(component => [component['bom-ref'], component])).values()]
}

function layerComponent({digest, mediaType, size}: Descriptor): Component {
  return {
    ...{type: 'file', 'bom-ref': `layer:${digest}`, 'mime-type': mediaType, name: digest},
    hashes: sha256(digest),
    properties: [property('kind', 'layer'), property('size', String(size))],
  }
}

function crdComponent({name, definedBy, file, line, sha256: hash, generator}: PackagedCrd): Component {
  return {
    ...{type: 'data', 'bom-ref': `crd:${name}`, name},
    ...(hash !== undefined && {hashes: sha256(hash)}),
    properties: [
      ...[property('kind', 'crd'), property('definedBy', definedBy)],
      ...(generator === undefined ? [] : [property('controllerGen', generator)]),
    ],
    evidence: {occurrences: [{location: file, ...(line !== undefined && {line})}]},
  }
}

/** An image whose digest is in the text, or was read from its registry. */
function imageComponent(image: string, read: Digest | undefined): Component {
  const name = parseImageName(image)
  const kind = {properties: [property('kind', 'image')]}
  if (name === undefined) return {type: 'container', 'bom-ref': `image:${image}`, name: image, ...kind}
  const repository = repositoryOf(name)
  const digest = name.digest ?? read
  const purl = imagePurl(repository, {digest, tag: name.tag})
  return {
    ...{type: 'container', 'bom-ref': purl, name: formatRepository(repository)},
    ...(name.tag !== undefined && {version: name.tag}),
    ...(digest !== undefined && {hashes: sha256(digest)}),
    ...{purl, ...kind},
  }
}

function dependencyComponent(dependency: PackageDependency): Component {
  if (dependency.kind === 'crd') {
    const {crd} = dependency
    const properties = [property('kind', 'required-crd')]
    return {type: 'data', 'bom-ref': `requires:${crd}`, name: crd, scope: 'required', properties}
  }
  const {package: name, version} = dependency
  return {
    ...{type: 'container', 'bom-ref': `requires:${name}`, name, scope: 'required'},
    ...packagePurl(name),
    properties: [
      property('kind', 'required-package'),
      ...(version === undefined ? [] : [property('constraint', version)]),
    ],
  }
}

function packagePurl(text: string): {readonly purl?: string} {
  const name = parseImageName(text)
  return name === undefined ? {} : {purl: imagePurl(repositoryOf(name))}
}

function property(name: string, value: string): JsonObject {
  return {name: `kubectl-crossplane:${name}`, value}
}

function sha256(digest: string): readonly JsonObject[] {
  return [{alg: 'SHA-256', content: digest.replace('sha256:', '')}]
}
