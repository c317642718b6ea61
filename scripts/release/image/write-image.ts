import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {indexOf} from '../../../src/fetch/oci-parts.js'
import type {ArchiveFile} from '../archive.js'
import {type Described, IMAGE} from '../descriptions.js'
import type {Platform} from '../platforms.js'
import {type OtherPackage, type Product, sbom} from '../sbom.js'
import {DEBIAN, DEBIAN_PACKAGES} from './debian-packages.js'
import type {Architecture} from './debian-packages.js'
import {debianRoot} from './debian-root.js'
import {layoutArchive} from './layout-archive.js'
import {type ImageFacts, PROGRAM, programImage, sbomArtifact} from './program-image.js'
import {fileAt, type RootEntry} from './root-entry.js'
import {rootLayer} from './root-layer.js'

/** What the program of an image consists of. */
type BundledParts = Pick<Described, 'packages' | 'modules'>

/** How an image is made. */
export interface ImageOptions {
  readonly output: string
  /** In seconds since 1970. */
  readonly time: number
  readonly homepage: string
  readonly revision?: string | undefined
  readonly debian?: string | undefined
  readonly report: (line: string) => void
}

/** The files of the archive for one platform, from which the image for it is made. */
export interface PlatformFiles {
  readonly platform: Platform
  readonly files: readonly ArchiveFile[]
}

/** Writes the image of the program: an index with one image per platform, and their SBOMs. */
export async function writeImage(
  options: ImageOptions,
  product: Product,
  {packages, modules}: BundledParts,
  linux: readonly PlatformFiles[],
): Promise<void> {
  const {time, output, report} = options
  const facts = imageFacts(options, product)
  const images = []
  const sboms = []
  for (const {platform, files} of linux) {
    const {arch} = platform
    const system = {...(await rootLayer(await debianRoot(arch, options.debian), time)), description: 'Debian'}
    const program = {...(await rootLayer(programEntries(files), time)), description: 'kubectl-crossplane'}
    const image = programImage(arch, [system, program], facts)
    images.push(image)
    const others = [...modules, ...systemPackages(arch)]
    sboms.push(sbomArtifact(sbom(product, packages, [platform], time, others), image, facts))
  }
  const archive = await layoutArchive(indexOf(images, facts.labels), product.version, sboms)
  writeFileSync(join(output, IMAGE), archive)
  report(`${IMAGE}: ${(archive.length / 1e6).toFixed(1)} MB`)
}

/** https://github.com/opencontainers/image-spec/blob/v1.1.1/annotations.md */
function imageFacts({time, homepage, revision}: ImageOptions, product: Product): ImageFacts {
  const created = new Date(time * 1000).toISOString().replace('.000Z', 'Z')
  const label = (key: string, text: string | undefined) =>
    text === undefined ? {} : {[`org.opencontainers.image.${key}`]: text}
  return {
    created,
    labels: {
      ...label('title', product.name),
      ...label('description', product.description),
      ...label('version', product.version),
      ...label('licenses', product.license),
      ...label('url', homepage),
      ...label('source', homepage),
      ...label('revision', revision),
      ...label('created', created),
    },
  }
}

function programEntries(files: readonly ArchiveFile[]): readonly RootEntry[] {
  const named = files.map(file => ({...file, name: file.path.split('/').at(-1) ?? ''}))
  return [
    ...named
      .filter(({name}) => name === 'kubectl-crossplane')
      .map(({content}) => fileAt(PROGRAM, content, 0o755)),
    ...named
      .filter(({isProgram}) => !isProgram)
      .map(({name, content}) => fileAt(`usr/share/doc/kubectl-crossplane/${name}`, content)),
  ]
}

function systemPackages(architecture: Architecture): readonly OtherPackage[] {
  return DEBIAN_PACKAGES.map(({name, version, license, sha256}) => {
    const where = `arch=${architecture}&distro=debian-${DEBIAN.version}`
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${where}`
    return {name, version, license, sha256: sha256[architecture], purl}
  })
}
