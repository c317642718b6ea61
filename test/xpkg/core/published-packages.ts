import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {present} from '../../../src/present.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {runCli} from '../../run-cli.js'
import {writeTree} from '../../temporary-folder.js'

/** A version of a package as its author writes it. */
export interface AuthoredPackage {
  /** `HOST/PATH` */
  readonly repository: string
  readonly tag: string
  readonly kind: string
  readonly requires: readonly {readonly kind: string; readonly repository: string; readonly version: string}[]
  readonly capabilities?: readonly string[]
  /** The constraint on the version of Crossplane. */
  readonly crossplane?: string
  /** A kind that the package defines; only for Providers. */
  readonly defines?: string
  /** The version of that kind; v1 by default. */
  readonly crdVersion?: string
  /** What the schema of that version has besides its type. */
  readonly crdSchema?: JsonObject
}

/** Builds and pushes packages; returns their digests by `REPOSITORY:TAG`. */
export async function publish(
  folder: string,
  packages: readonly AuthoredPackage[],
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>()
  for (const authored of packages) {
    const reference = `${authored.repository}:${authored.tag}`
    const source = writeTree(mkdtempSync(join(folder, 'package-')), filesOf(authored))
    const {status, stdout, stderr} = await runCli('package', 'push', reference, source)
    if (status !== 0) throw new Error(`${reference} was not pushed: ${stderr}`)
    digests.set(reference, stdout.trim().split('@').at(-1)!)
  }
  return digests
}

const MEDIA_TYPE = 'application/vnd.oci.image.manifest.v1+json'

/** Gives a tag of a registry in plain HTTP the content of another tag. */
export async function moveTag(repository: string, tag: string, to: string): Promise<void> {
  await tagManifest(repository, tag, to, text => text)
}

/** Gives a tag of a registry in plain HTTP an image without content, beside another tag. */
export async function breakTag(repository: string, tag: string, beside: string): Promise<void> {
  await tagManifest(repository, tag, beside, text =>
    JSON.stringify({...(JSON.parse(text) as JsonObject), layers: []}),
  )
}

async function tagManifest(
  repository: string,
  tag: string,
  from: string,
  changed: (manifest: string) => string,
): Promise<void> {
  const [host, ...path] = repository.split('/')
  const at = (name: string) => `http://${host}/v2/${path.join('/')}/manifests/${name}`
  const response = await fetch(at(from), {headers: {accept: MEDIA_TYPE}})
  const body = changed(await response.text())
  const {status} = await fetch(at(tag), {method: 'PUT', headers: {'content-type': MEDIA_TYPE}, body})
  if (status !== 201) throw new Error(`${repository}:${tag} was not tagged: ${status}`)
}

/** JSON is YAML too. The annotation makes the bytes of versions differ. */
function filesOf({repository, tag, kind, requires, capabilities, ...more}: AuthoredPackage) {
  const {crossplane, defines, crdVersion, crdSchema} = more
  const metadata = {name: repository.split('/').at(-1), annotations: {'example.org/version': tag}}
  const dependsOn = requires.map(({kind: required, ...constraint}) => ({
    [required.toLowerCase()]: constraint.repository,
    version: constraint.version,
  }))
  const spec = {
    dependsOn,
    ...present({capabilities}),
    ...(crossplane === undefined ? {} : {crossplane: {version: crossplane}}),
  }
  const meta = {apiVersion: 'meta.pkg.crossplane.io/v1', kind, metadata, spec}
  return {
    'crossplane.yaml': JSON.stringify(meta),
    ...(defines === undefined
      ? {}
      : {'crd.yaml': JSON.stringify(crdOf(defines, tag, crdVersion, crdSchema))}),
  }
}

function crdOf(kind: string, description: string, version = 'v1', more: JsonObject = {}) {
  const plural = `${kind.toLowerCase()}s`
  const names = {kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`}
  const schema = {openAPIV3Schema: {type: 'object', description, ...more}}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.core.example.org`},
    spec: {
      group: 'core.example.org',
      scope: 'Cluster',
      names,
      versions: [{name: version, served: true, storage: true, schema}],
    },
  }
}
