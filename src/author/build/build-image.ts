import {join} from 'node:path/posix'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {tagAgrees} from '../../reference/newest-version.js'
import type {Image} from '../../fetch/image.js'
import type {App} from '../../unpack/app.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {asObject, asText} from '../../yaml/json-value.js'
import type {BaseImage} from './base-image.js'
import {imageOverBase} from './image-over-base.js'
import {imageAnnotations} from './image-annotations.js'
import {packageImage} from './package-image.js'
import {folderLayer, packageLayer} from './package-layer.js'
import type {SourceFacts} from './source-control.js'

/** The input of an image build. */
export interface BuildInput {
  readonly app: App
  readonly files: readonly PackageFile[]
  /** The templates of a template stack, which become a layer of their own. */
  readonly templates?: ImageFolder
  /** Further folders, each a layer of its own. */
  readonly copies?: readonly ImageFolder[]
  readonly base?: BaseImage
  readonly source?: SourceFacts
  /** The creation time to record, in seconds since 1970; without it, none is recorded. */
  readonly epoch?: number
}

/** A folder of an image. A relative path begins at the working directory. */
export interface ImageFolder {
  readonly path: string
  readonly files: readonly PackageFile[]
}

/** Creates the image of a package: the same input gives the same bytes on every machine. */
export function buildImage({app, files, templates, copies = [], base, source, epoch}: BuildInput): Image {
  const choices = {mtime: epoch ?? 0, replaces: base !== undefined}
  const folderOf = ({path, files}: ImageFolder, replaces = choices.replaces) =>
    folderLayer(files, inWorkingFolder(path, base), {...choices, replaces})
  const layers = [
    // As COPY of a Dockerfile, which adds files to a folder.
    ...copies.map(copy => folderOf(copy, false)),
    ...(templates === undefined ? [] : [folderOf(templates)]),
    packageLayer(files, choices),
  ]
  const created = epoch === undefined ? undefined : new Date(epoch * 1000).toISOString().replace('.000Z', 'Z')
  const facts = {
    annotations: imageAnnotations(app.fields, source, created),
    created,
  }
  return base === undefined ? packageImage(layers, facts) : imageOverBase(base, layers, facts)
}

/** `source.path` is relative to the working directory of the image, which all platforms of a base share. */
function inWorkingFolder(path: string, base: BaseImage | undefined): string {
  const folder = asText(asObject(base?.platforms[0]?.config.config).WorkingDir)
  return join(path.startsWith('/') ? '/' : folder, path).replace(/^\//, '')
}

/**
 * Checks the tag of a package against its version. A tag that is not a version, such as `main`, `latest` or a commit, gets
 * a warning. Throws `usage` for the tag of another version.
 */
export function tagWarnings(version: string | undefined, tag: string | undefined): readonly Diagnostic[] {
  if (tag === undefined) return []
  if (!LIKE_A_VERSION.test(tag)) {
    const message = `the tag ${tag} is not a version: it is never selected as the newest version`
    return [{severity: 'warning', rule: 'tag-not-a-version', message, subject: {tag}}]
  }
  if (version === undefined || tagAgrees(tag, version)) return []
  throw new CrossplaneError('usage', `the tag ${tag} does not match version ${version} in app.yaml`, {
    suggestions: [`Use the tag ${version}, or change the version in app.yaml`],
  })
}

/** Also matches versions that are not semantic, such as `v1`. A commit ID in hex does not begin like this. */
const LIKE_A_VERSION = /^(?:v\d|\d+\.\d)/
