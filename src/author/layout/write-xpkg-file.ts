import {CrossplaneError} from '../../errors.js'
import {archiveFiles} from '../../fetch/archive-files.js'
import {type Blob, blobsOf, type Image} from '../../fetch/image.js'
import {OCI_TYPES} from '../../fetch/media-types.js'
import type {WritableFile} from '../../fetch/output-files.js'
import type {SourceFile} from '../../fetch/source-files.js'
import {type ArchiveMember, archiveTar, documentMember} from './archive-tar.js'

/** The list of the images of an archive of `docker save`. */
const LIST_FILE = 'manifest.json'

/**
 * Writes an image as an `.xpkg` file in the form of `crossplane xpkg build`, an archive of Docker without a name. An
 * existing one is replaced; throws `output-refused` for any other file, and `usage` for an index, which such a file cannot hold.
 */
export async function writeXpkgFile(image: Image, file: WritableFile): Promise<void> {
  if (image.images !== undefined) throw severalPlatforms(image.images.length, file)
  const existing = await file.existing()
  if (existing !== undefined && !(await isDockerArchive(existing))) throw notAnXpkg(file)
  await file.write(archiveTar([], membersOf(image)))
}

function membersOf(image: Image): readonly ArchiveMember[] {
  const list = [
    {
      Config: image.config === undefined ? '' : pathOf(image.config),
      RepoTags: null,
      Layers: image.layers.map(pathOf),
    },
  ]
  return [
    ...blobsOf(image).map(blob => ({
      path: pathOf(blob),
      size: blob.descriptor.size,
      open: () => blob.open(),
    })),
    documentMember(LIST_FILE, Buffer.from(JSON.stringify(list))),
  ]
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  [OCI_TYPES.gzip]: '.tar.gz',
  [OCI_TYPES.zstd]: '.tar.zst',
  [OCI_TYPES.tar]: '.tar',
}

/** The names that the crossplane CLI gives to a config and to layers. */
function pathOf({descriptor: {digest, mediaType}}: Blob): string {
  const extension = EXTENSIONS[mediaType]
  return extension === undefined ? digest : `${digest.slice('sha256:'.length)}${extension}`
}

/** Reports whether the file is an archive of Docker. One that cannot be read as a tar is another file. */
async function isDockerArchive(file: SourceFile): Promise<boolean> {
  try {
    return (await (await archiveFiles(file)).file(LIST_FILE)) !== undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return false
    throw error
  }
}

function notAnXpkg({name}: WritableFile): CrossplaneError {
  return new CrossplaneError('output-refused', `cannot write ${name}: the file exists and is not a package`, {
    suggestions: ['Choose another file, or move this one elsewhere.'],
  })
}

function severalPlatforms(count: number, {name}: WritableFile): CrossplaneError {
  const message = `cannot write ${name}: the runtime image is for ${count} platforms, and an .xpkg file holds one`
  return new CrossplaneError('usage', message, {
    suggestions: ['Write oci-archive:FILE for all platforms, or push the package to a registry.'],
  })
}
