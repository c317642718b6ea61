import type {Diagnostic} from '../../diagnostic.js'
import {withSuggestions, CrossplaneError} from '../../errors.js'
import {fetchImage} from '../../fetch/fetch-image.js'
import type {Digest} from '../../fetch/image.js'
import type {Kept} from '../../index/registry/keep-document.js'
import type {Platform} from '../../fetch/platform.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import {packageInImage} from '../../locate/image-files.js'
import {entryOfPackage} from '../../index/entry-of-package.js'
import {type IndexTarget, type IndexTargetPorts, openWriter} from './index-target.js'

/** The entry of a package that was pushed. */
export interface PushedEntry {
  /** The root of the index. */
  readonly root: string
  readonly state: Kept
  readonly warnings: readonly Diagnostic[]
}

/** An image that was just pushed. */
interface PushedImage {
  readonly repository: Repository
  readonly tag: string
  readonly digest: Digest
  /** One of the platforms of the image. */
  readonly platform: Platform
}

/** Adds a pushed image to an index, read as it is pulled. An error states that the push itself succeeded. */
export async function addPushed(
  pushed: PushedImage,
  target: IndexTarget,
  ports: IndexTargetPorts,
): Promise<PushedEntry> {
  const root = formatRepository(target.root)
  try {
    return {root, ...(await add(pushed, target, ports))}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const name = `${formatRepository(pushed.repository)}:${pushed.tag}@${pushed.digest}`
    // The layout is omitted if it is the default, or if it caused the error.
    const isOwn = target.layout === 'repositories' || error.code === 'usage'
    const layout = isOwn ? '' : ` --${target.layout}`
    throw withSuggestions(
      error,
      [
        `To take the push back, delete the tag ${pushed.tag} in the registry.`,
        `kubectl crossplane registry index add ${name} --index ${root}${layout}`,
      ],
      `${name} was pushed, but cannot be added to the index ${root}: ${error.message}`,
    )
  }
}

async function add(
  {repository, tag, digest, platform}: PushedImage,
  target: IndexTarget,
  ports: IndexTargetPorts,
): Promise<Pick<PushedEntry, 'state' | 'warnings'>> {
  const registry = await ports.registry(repository.registry)
  const store = registry.image(repository, {digest})
  const image = await fetchImage(store, {platform})
  const identity = formatRepository(repository)
  const summary = entryOfPackage({identity, tag, digest}, await packageInImage(image))
  const writer = await openWriter(target, ports)
  const state = await writer.add(summary, {isRead: true})
  return {state, warnings: await writer.finish()}
}
