import {platformOf} from '../../author/layout/copied-image.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {formatRepository, repositoryOf} from '../../reference/repository.js'
import {present} from '../../present.js'
import {measured} from './build-to-disk.js'
import {isXpkgFile} from './write-image.js'
import type {PushedEntry} from '../index/add-pushed.js'
import type {SignerName} from '../../signatures/trusted-signer.js'
import type {IndexTarget} from '../index/index-target.js'
import type {PushQuery, PushPorts} from './push-query.js'
import {imageFor, mountedPath} from './pushed-image.js'
import {type Pushed, pushTo} from './push-to-registry.js'

/** The result of a push. Sizes are in bytes. */
export interface PushReport {
  /** The reference with its digest. */
  readonly reference: string
  readonly tag: string
  readonly digest: string
  readonly size: number
  readonly images: number
  /** The tag had this image before. */
  readonly unchanged: boolean
  /** The index, and whether the package is new there. */
  readonly index?: Pick<PushedEntry, 'root' | 'state'>
  /** The key or identity that has signed it. */
  readonly signer?: SignerName
  /** The types of the statements that were signed and attached by this push. */
  readonly attached?: readonly string[]
  readonly warnings: readonly Diagnostic[]
}

/**
 * Builds a package, or reads a built one, and pushes it; the default tag is the version in app.yaml. Throws as
 * building and the registry do, `reference-incomplete` without a tag or version, and `output-refused` if the tag
 * exists with other content, unless forced. Throws as adding to an index does after the push, and the message states
 * that.
 */
export async function pushPackage(query: PushQuery, ports: PushPorts): Promise<PushReport> {
  const name = pushName(query.reference, ports.defaultSource)
  const repository = repositoryOf(name)
  const {image, tag, warnings, mountFrom, build} = await imageFor(query, name, ports)
  const selected = name.tag ?? tag
  if (selected === undefined) throw noTag(query.reference)
  const pushed = {repository, tag: selected, image, mountFrom: mountedPath(image, mountFrom, repository)}
  const {changed, overwritten, signed} = await pushTo({...pushed, ...present({build})}, query, ports)
  const {digest, ...sizes} = measured(image)
  const entry = await indexed(pushed, query.index, ports)
  return {
    reference: `${formatRepository(repository)}:${selected}@${digest}`,
    tag: selected,
    digest,
    ...sizes,
    unchanged: !changed,
    ...(signed === undefined ? {} : {signer: signed.signer, attached: signed.attached}),
    ...(entry === undefined ? {} : {index: {root: entry.root, state: entry.state}}),
    warnings: [
      ...warnings,
      ...(signed?.warnings ?? []),
      ...overwriteWarning(`${formatRepository(repository)}:${selected}`, overwritten, query.index),
      ...(entry?.warnings ?? []),
    ],
  }
}

/** Loads the modules that write an index only if they are used. */
async function indexed(
  {repository, tag, image}: Pushed,
  target: IndexTarget | undefined,
  ports: PushPorts,
): Promise<PushedEntry | undefined> {
  if (target === undefined) return undefined
  const {addPushed} = await import('../index/add-pushed.js')
  const pushed = {repository, tag, digest: image.descriptor.digest, platform: platformOf(image)}
  return await addPushed(pushed, target, ports)
}

/** An index keeps the entry of the former digest; offline, a tag with two entries is not selected. */
function overwriteWarning(
  name: string,
  digest: string | undefined,
  index: IndexTarget | undefined,
): Diagnostic[] {
  if (digest === undefined) return []
  const root = index === undefined ? 'ROOT' : formatRepository(index.root)
  return [
    {
      severity: 'warning',
      rule: 'tag-overwritten',
      message: `the tag ${name} was overwritten: an index that lists ${digest} has a wrong entry until that digest is yanked`,
      suggestions: [
        `kubectl crossplane registry index yank ${name}@${digest} --reason overwritten --index ${root}`,
      ],
    },
  ]
}

function pushName(text: string, defaultSource: string | undefined): ImageName {
  const image = parsePackageImage(text)
  if (isXpkgFile(text) && image.registry === undefined) throw fileAsTarget(text)
  const name = defaultSource === undefined ? image : nameFromSource(image, defaultSource)
  if (name.digest === undefined) return name
  throw new CrossplaneError('usage', `the target ${text} has a digest`, {
    suggestions: [`Push to ${formatImageName({path: name.path, registry: name.registry, tag: name.tag})}`],
  })
}

function fileAsTarget(file: string): CrossplaneError {
  return new CrossplaneError('usage', `the target ${file} is the name of a file`, {
    suggestions: ['Pass [HOST/]PATH[:TAG] before the file.'],
  })
}

function noTag(reference: string): CrossplaneError {
  return new CrossplaneError(
    'reference-incomplete',
    `${reference} has no tag, and the package has no version that can be a tag`,
    {suggestions: [`Write ${reference}:TAG`]},
  )
}
