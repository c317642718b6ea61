import {withSuggestions, CrossplaneError} from '../../errors.js'
import {fetchImage} from '../../fetch/fetch-image.js'
import type {Digest} from '../../fetch/image.js'
import type {Platform} from '../../fetch/platform.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import {registryFiles} from '../../unpack/files/layer-files.js'
import {entryOfPackage} from './entry-of-package.js'
import {type IndexTarget, type IndexTargetPorts, openWriter} from './index-target.js'

/** What an index has of what was pushed. */
export interface PushedEntry {
  /** The root of the index. */
  readonly root: string
  readonly state: 'added' | 'present'
}

/** An image that is in a registry since a moment ago. */
interface PushedImage {
  readonly repository: Repository
  readonly tag: string
  readonly digest: Digest
  /** One that the image is for. */
  readonly platform: Platform
}

/** Adds to an index what was just pushed, as whoever pulls it reads it. A failure says that the push itself went well. */
export async function addPushed(
  pushed: PushedImage,
  target: IndexTarget,
  ports: IndexTargetPorts,
): Promise<PushedEntry> {
  const root = formatRepository(target.root)
  try {
    return {root, state: await add(pushed, target, ports)}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const name = `${formatRepository(pushed.repository)}:${pushed.tag}@${pushed.digest}`
    // A layout that the index does not have is what was wrong.
    const isOwn = target.layout === 'repositories' || error.code === 'usage'
    const layout = isOwn ? '' : ` --${target.layout}`
    throw withSuggestions(
      error,
      [`Then add it: kubectl crossplane registry index add ${name} --index ${root}${layout}`],
      `${name} was pushed, and could not be added to the index ${root}: ${error.message}`,
    )
  }
}

async function add(
  {repository, tag, digest, platform}: PushedImage,
  target: IndexTarget,
  ports: IndexTargetPorts,
): Promise<PushedEntry['state']> {
  const registry = await ports.registry(repository.registry)
  const image = await fetchImage(registry.image(repository, {digest}), {platform})
  const identity = formatRepository(repository)
  const summary = entryOfPackage({identity, tag, digest}, await registryFiles(image.layers))
  return await (await openWriter(target, ports)).add(summary)
}
