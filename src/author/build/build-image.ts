import {CrossplaneError} from '../../errors.js'
import {tagAgrees} from '../../reference/newest-version.js'
import type {OutgoingImage} from '../../registry/outgoing-image.js'
import type {App} from '../../unpack/app.js'
import type {PackageFile} from '../../unpack/package-file.js'
import type {BaseImage} from './base-image.js'
import {imageOverBase} from './image-over-base.js'
import {imageAnnotations} from './image-annotations.js'
import {packageImage} from './package-image.js'
import {packageLayer} from './package-layer.js'
import type {SourceFacts} from './source-control.js'

/** All that an image is made of. */
export interface BuildInput {
  readonly app: App
  readonly files: readonly PackageFile[]
  readonly base?: BaseImage
  readonly source?: SourceFacts
  /** When it is said to be made, in seconds since 1970; nothing says so otherwise. */
  readonly epoch?: number
}

/** The image of a package: the same input gives the same bytes, wherever and whenever. */
export function buildImage({app, files, base, source, epoch}: BuildInput): OutgoingImage {
  const layer = packageLayer(files, {mtime: epoch ?? 0, replaces: base !== undefined})
  const created = epoch === undefined ? undefined : new Date(epoch * 1000).toISOString().replace('.000Z', 'Z')
  const facts = {
    annotations: imageAnnotations(app.fields, source, created),
    ...(created === undefined ? {} : {created}),
  }
  return base === undefined ? packageImage(layer, facts) : imageOverBase(base, layer, facts)
}

/** Throws `usage` where a package is to be found under a tag that is none of its version's. */
export function expectAgreement(version: string | undefined, tag: string | undefined): void {
  if (version === undefined || tag === undefined || tagAgrees(tag, version)) return
  throw new CrossplaneError('usage', `app.yaml says version ${version}, and the tag is ${tag}`, {
    suggestions: [`Use the tag ${version}, or change version in app.yaml.`],
  })
}
