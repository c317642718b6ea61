import {baseNameOf} from '../../author/build/image-annotations.js'
import {copiedImage, platformOf} from '../../author/layout/copied-image.js'
import type {Diagnostic} from '../../diagnostic.js'
import {withSuggestions, CrossplaneError} from '../../errors.js'
import type {Digest, Image} from '../../fetch/image.js'
import {formatImageName, type ImageName, parseImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {parsePackageImage, parsePackageReference} from '../../reference/package-reference.js'
import {formatRepository, type Repository, repositoryOf} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import {present} from '../../present.js'
import type {Registry, RegistryAt} from '../../registry/registry.js'
import {baseImage, type BasePorts} from './base-image.js'
import type {BuildPorts, BuildQuery} from '../../package/build.js'
import {lintOutcome} from '../../package/lint-outcome.js'
import {buildPackage} from './build-package.js'
import {builtImage, builtSource, rejectBuildFlags} from './built-image.js'
import {lintToPublish} from './lint.js'
import {measured} from './build-to-disk.js'
import {isXpkgFile} from './write-image.js'
import {imageStoreOf} from '../../locate/image-store-of.js'
import type {PushedEntry} from '../index/add-pushed.js'
import {isUnauthenticated, isUnwritable} from '../../registry/unwritable.js'
import type {AttestedImage, AttestPorts} from './attestations.js'
import type {PushSigning, SignedPush} from './sign-pushed.js'
import type {SignerName} from '../../signatures/trusted-signer.js'
import type {IndexTarget} from '../index/index-target.js'

/** The package to push, and its target. */
export interface PushQuery extends BuildQuery {
  /** A folder, which is built, or a layout or archive, which is pushed unchanged. */
  readonly path: string
  /** Built packages for a current Crossplane, for other platforms than that of `path`. */
  readonly others?: readonly string[]
  readonly reference: string
  /** The base image. */
  readonly from?: string
  /** Overwrites a tag that exists with other content. */
  readonly force?: boolean
  /** The index to add the package to. */
  readonly index?: IndexTarget
  /** Signs the package, before it is added to an index. */
  readonly signing?: PushSigning
}

export interface PushPorts extends BuildPorts, BasePorts, AttestPorts {
  readonly registry: RegistryAt
  readonly report?: ReportProgress
}

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

interface Pushed {
  readonly repository: Repository
  readonly tag: string
  readonly image: Image
  readonly mountFrom: string | undefined
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

/** Some registries do not create repositories on push, and respond as if permission were missing. */
async function pushTo(pushed: Pushing, query: PushQuery, ports: PushPorts): Promise<PushedTo> {
  const {repository, tag, image, mountFrom} = pushed
  const at = await ports.registry(repository.registry)
  try {
    const digest = await at.digestOf(repository, tag)
    const overwritten = digest === image.descriptor.digest ? undefined : digest
    if (overwritten !== undefined && query.force !== true)
      throw tagExists(`${formatRepository(repository)}:${tag}`, overwritten)
    // Signed first: without a signature, nothing is pushed.
    const signing = await preparedSignatures(pushed, query.signing, {...ports, at})
    if (signing === undefined) {
      const {changed} = await at.push(repository, tag, image, ports.report, {before: {digest}, mountFrom})
      return {changed, overwritten, signed: undefined}
    }
    return {...(await pushSigned(pushed, digest, signing, {...ports, at})), overwritten}
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !isUnwritable(error) || isUnauthenticated(error)) throw error
    throw withSuggestions(error, [
      `Create the repository ${formatRepository(repository)} if the registry does not create it on push.`,
    ])
  }
}

/** Moves the tag last: what cannot be signed is in the registry under its digest only. */
async function pushSigned(
  {repository, tag, image, mountFrom}: Pushing,
  before: Digest | undefined,
  signing: SignedPush,
  {at, report}: PushPorts & {readonly at: Registry},
): Promise<Pick<PushedTo, 'changed' | 'signed'>> {
  const {digest} = image.descriptor
  const changed = before !== digest
  let stored: readonly Diagnostic[] = []
  if (changed) await at.push(repository, digest, image, report, {before: {digest: undefined}, mountFrom})
  try {
    stored = await signing.attach()
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    throw unsigned(`${formatRepository(repository)}:${tag}`, changed, error)
  }
  if (changed) await at.push(repository, tag, image, report, {before: {digest: before}, isStored: true})
  const {signed} = signing
  return {changed, signed: {...signed, warnings: [...signed.warnings, ...stored]}}
}

function unsigned(name: string, isNew: boolean, error: CrossplaneError): CrossplaneError {
  const left = isNew ? 'the tag was left as it was' : 'the tag has the package already'
  return withSuggestions(
    error,
    error.code === 'access-denied'
      ? [`Allow the account to push artifacts to the repository of ${name}, and run the command again.`]
      : [],
    `cannot store the signature of ${name}, and ${left}: ${error.message}`,
  )
}

interface Pushing extends Pushed {
  readonly build?: AttestedImage['build']
}

interface PushedTo {
  readonly changed: boolean
  /** The digest that the tag had before. */
  readonly overwritten: string | undefined
  readonly signed: SignedPush['signed'] | undefined
}

/** Loads the modules that sign only if they are used. */
async function preparedSignatures(
  pushed: Pushing,
  signing: PushSigning | undefined,
  ports: PushPorts & {readonly at: Registry},
): Promise<SignedPush | undefined> {
  return signing === undefined
    ? undefined
    : await (await import('./sign-pushed.js')).preparedSignatures(pushed, signing, ports)
}

function tagExists(name: string, digest: string): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot push ${name}: the tag exists with other content, ${digest}`,
    {
      suggestions: ['Push under a new version', 'Or overwrite the tag: add --force'],
    },
  )
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

interface Prepared {
  readonly image: Image
  readonly tag?: string
  readonly warnings: readonly Diagnostic[]
  /** The base image, whose layers the registry may have. */
  readonly mountFrom?: string
  /** How it was built; absent for an image that was built before. */
  readonly build?: AttestedImage['build']
}

async function imageFor(query: PushQuery, name: ImageName, ports: PushPorts): Promise<Prepared> {
  const {path, others = []} = query
  if (others.length > 0) {
    rejectBuildFlags(query)
    const joined = await (await import('./joined-images.js')).joinedImages([path, ...others], ports.sources)
    for (const file of [path, ...others]) await lintBuilt(file, name.tag, query, ports)
    return joined
  }
  const source = builtSource(path)
  if (source !== undefined) {
    rejectBuildFlags(query)
    const before = await builtImage(await imageStoreOf(source, ports.sources), name.tag)
    const warnings = await lintBuilt(path, before.tag, query, ports)
    return {...before, warnings: [...before.warnings, ...warnings]}
  }
  const base = query.from === undefined ? undefined : await baseImage(query.from, ports)
  const built = await buildPackage(query, name.tag, base, ports)
  return {
    ...built,
    ...present({mountFrom: base?.name}),
    build: {query, folders: built.folders, ...present({base})},
  }
}

/** Lints a package that was built before, perhaps by another program or with `--no-lint`. */
async function lintBuilt(
  path: string,
  tag: string | undefined,
  {lint}: PushQuery,
  ports: PushPorts,
): Promise<readonly Diagnostic[]> {
  const place = builtSource(path)
  if (!lint || place === undefined) return []
  const platform = platformOf(await copiedImage(await imageStoreOf(place, ports.sources)))
  const source = isXpkgFile(path) ? ({kind: 'directory', path} as const) : parsePackageReference(path)
  if (source.kind === 'image') return []
  return lintOutcome(path, await lintToPublish(source, tag, {...ports, platform}), PUSH_NO_LINT, 'push')
}

const PUSH_NO_LINT = 'Pass --no-lint to push it despite them.'

/**
 * Returns the path of the base image, which the annotations may name, if it is in the same registry: its layers are mounted.
 * Those that cannot be mounted are uploaded.
 */
function mountedPath(image: Image, baseName: string | undefined, target: Repository): string | undefined {
  const base = parseImageName(baseName ?? baseNameOf(image))
  const {registry, path} = base === undefined ? target : repositoryOf(base)
  return registry === target.registry ? path : undefined
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
