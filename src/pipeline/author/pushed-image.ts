import {baseNameOf} from '../../author/build/image-annotations.js'
import {copiedImage, platformOf} from '../../author/layout/copied-image.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {Image} from '../../fetch/image.js'
import {type ImageName, parseImageName} from '../../reference/image-name.js'
import {parsePackageReference} from '../../reference/package-reference.js'
import {type Repository, repositoryOf} from '../../reference/repository.js'
import {present} from '../../present.js'
import {baseImage} from './base-image.js'
import {lintOutcome} from '../../package/lint-outcome.js'
import {buildPackage} from './build-package.js'
import {builtImage, builtSource, rejectBuildFlags} from './built-image.js'
import {lintToPublish} from './lint.js'
import {isXpkgFile} from './write-image.js'
import {imageStoreOf} from '../../locate/image-store-of.js'
import type {AttestedImage} from './attestations.js'
import type {PushQuery, PushPorts} from './push-query.js'

/** An image to push. */
interface Prepared {
  readonly image: Image
  readonly tag?: string
  readonly warnings: readonly Diagnostic[]
  /** The base image, whose layers the registry may have. */
  readonly mountFrom?: string
  /** How it was built; absent for an image that was built before. */
  readonly build?: AttestedImage['build']
}

/** Builds the package of a folder, or reads one that was built. Throws as building, reading and lint do. */
export async function imageFor(query: PushQuery, name: ImageName, ports: PushPorts): Promise<Prepared> {
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
export function mountedPath(
  image: Image,
  baseName: string | undefined,
  target: Repository,
): string | undefined {
  const base = parseImageName(baseName ?? baseNameOf(image))
  const {registry, path} = base === undefined ? target : repositoryOf(base)
  return registry === target.registry ? path : undefined
}
