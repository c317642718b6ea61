import {generatedSbom} from '../../author/attest/generated-sbom.js'
import {givenSbom} from '../../author/attest/given-sbom.js'
import {imagePurl} from '../../author/attest/image-purl.js'
import {type BuildRecord, provenanceOf} from '../../author/attest/provenance.js'
import {sbomContents} from '../../author/attest/sbom-contents.js'
import type {BaseImage} from '../../author/build/base-image.js'
import type {SourceControl} from '../../author/build/source-control.js'
import type {RepositoryPaths} from '../../commit/repository-paths.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {type Digest, type Image, layersOf, platformImages} from '../../fetch/image.js'
import {packageInImage} from '../../locate/image-files.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {present} from '../../present.js'
import {parseImageName} from '../../reference/image-name.js'
import {formatRepository, type Repository, repositoryOf} from '../../reference/repository.js'
import type {RegistryAt} from '../../registry/registry.js'
import {SIGNATURE_TYPE, type Statement} from '../../signatures/statement.js'
import {quoted} from '../../text.js'
import type {BuildQuery} from '../../package/build.js'

/** What to state about a package besides the signature. */
export interface AttestQuery {
  /** The version of this program. */
  readonly version: string
  readonly provenance?: {readonly builder: string}
  /** An SBOM that another program wrote; `generate` for one of this program. */
  readonly sbom?: 'generate' | {readonly name: string; readonly bytes: Uint8Array}
}

/** The image of a package that is about to be pushed. */
export interface AttestedImage {
  readonly repository: Repository
  readonly tag: string
  readonly image: Image
  /** The build, absent for an image that was built before. */
  readonly build?: {
    readonly query: BuildQuery
    readonly base?: BaseImage
    /** The folders beside the package whose files are in the image. */
    readonly folders: readonly string[]
  }
}

export interface AttestPorts {
  readonly sourceControl: SourceControl
  readonly repositoryPaths: RepositoryPaths
  readonly registry: RegistryAt
}

/** The statements to sign, and what could not be stated. */
export interface Attestations {
  readonly statements: readonly Statement[]
  readonly warnings: readonly Diagnostic[]
}

/** Collects what is to be stated about a package. Throws `input-invalid` for what would not be true, and `package-invalid`. */
export async function attestations(
  attested: AttestedImage,
  query: AttestQuery,
  ports: AttestPorts,
): Promise<Attestations> {
  const statements: Statement[] = [{predicateType: SIGNATURE_TYPE, predicate: {}}]
  if (query.provenance !== undefined) {
    const {builder} = query.provenance
    statements.push(provenanceOf(await buildRecord(attested, {builder, version: query.version}, ports)))
  }
  if (query.sbom === undefined) return {statements, warnings: []}
  if (query.sbom !== 'generate') {
    return {statements: [...statements, givenSbom(query.sbom.bytes, query.sbom.name)], warnings: []}
  }
  const {sbom, warnings} = await packageSbom(attested, query.version, ports)
  return {statements: [...statements, sbom], warnings}
}

async function buildRecord(
  {build, repository}: AttestedImage,
  by: Pick<BuildRecord, 'builder' | 'version'>,
  {sourceControl, repositoryPaths}: AttestPorts,
): Promise<BuildRecord> {
  if (build === undefined) throw builtBefore(repository)
  const {query, base, folders} = build
  const {path, bake, epoch, ignore = []} = query
  expectOwnFiles(query)
  return {
    ...by,
    path,
    source: await sourceControl.facts(path, folders),
    folder: await repositoryPaths.pathOf(path),
    settings: present({
      bakeMetadata: bake?.name,
      sourceDateEpoch: epoch,
      ...(ignore.length > 0 && {ignore: [...ignore]}),
    }),
    ...(base !== undefined && {base: materialOf(base)}),
  }
}

/** What is copied was built, so no commit has it; the examples of an xpkg are not compared with the commit. */
function expectOwnFiles({path, examples, copies = []}: BuildQuery): void {
  const flag = copies.length > 0 ? 'copy' : examples === undefined ? undefined : 'examples'
  if (flag === undefined) return
  throw new CrossplaneError(
    'usage',
    `cannot state the provenance of ${path}: --${flag} adds files that need not be of its commit`,
    {suggestions: ['Leave out --provenance, and attest the build with cosign attest.']},
  )
}

/** A local image has no name that means anything elsewhere. */
function materialOf({name, root}: BaseImage) {
  const parsed = name === undefined ? undefined : parseImageName(name)
  const {digest} = root.descriptor
  const uri = parsed === undefined ? 'pkg:oci/local' : imagePurl(repositoryOf(parsed), {digest})
  return {uri, digest}
}

function builtBefore(repository: Repository): CrossplaneError {
  const message = `cannot state the provenance of ${formatRepository(repository)}: it was built before`
  return new CrossplaneError('usage', message, {
    suggestions: ['Pass the folder of the package, which is then built.'],
  })
}

async function packageSbom(
  {repository, tag, image}: AttestedImage,
  version: string,
  {registry}: AttestPorts,
): Promise<{readonly sbom: Statement; readonly warnings: readonly Diagnostic[]}> {
  const [first = image] = platformImages(image)
  const contents = sbomContents(formatRepository(repository), await packageInImage(first))
  const {digests, warnings} = await imageDigests(contents.images, registry)
  const sbom = generatedSbom({
    ...{repository, tag, version, contents, digests},
    digest: image.descriptor.digest,
    layers: layersOf(image).map(({descriptor}) => descriptor),
  })
  return {sbom, warnings}
}

const CONCURRENT = 4

/** Reads the digests of images that are named by tag. One that cannot be read is left out with a warning. */
async function imageDigests(images: readonly string[], registry: RegistryAt) {
  const digests = new Map<string, Digest>()
  const warnings: Diagnostic[] = []
  await mapConcurrent([...new Set(images)], CONCURRENT, async image => {
    const digest = await digestOf(image, registry)
    if (typeof digest === 'string') digests.set(image, digest)
    else warnings.push(digest)
  })
  return {digests, warnings}
}

async function digestOf(image: string, registry: RegistryAt): Promise<Digest | Diagnostic> {
  const name = parseImageName(image)
  if (name === undefined) return withoutDigest(image, 'it is not an image reference')
  if (name.digest !== undefined) return name.digest
  const repository = repositoryOf(name)
  try {
    const digest = await (await registry(repository.registry)).digestOf(repository, name.tag ?? 'latest')
    return digest ?? withoutDigest(image, 'it does not exist')
  } catch (error) {
    if (error instanceof CrossplaneError) return withoutDigest(image, error.message)
    throw error
  }
}

function withoutDigest(image: string, why: string): Diagnostic {
  return {
    severity: 'warning',
    rule: 'sbom-digest',
    message: `the SBOM has no digest of the image ${quoted(image)}: ${why}`,
  }
}
