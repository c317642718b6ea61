import {CrossplaneError} from '../../errors.js'
import type {Digest} from '../../fetch/image.js'
import type {BundledImage} from '../../bundles/bundle-document.js'
import {compareText} from '../../reference/compare-text.js'
import {type ImageName, parseImageName} from '../../reference/image-name.js'
import {repositoryOf} from '../../reference/repository.js'
import {present} from '../../present.js'
import {quoted} from '../../text.js'

/** An image that a bundle is to have. */
export interface RequestedImage extends Pick<BundledImage, 'role' | 'isXpkg' | 'usedBy'> {
  /** With its host. */
  readonly name: ImageName
  /** `HOST/PATH:TAG`, or `HOST/PATH@DIGEST` without a tag. */
  readonly reference: string
  /** The digest that it must have. */
  readonly digest?: Digest
}

const DEFAULT_TAG = 'latest'

/**
 * Collects images, each once. A tag has one content in a bundle: a digest that a package or an image states for it applies
 * to everything that names only the tag, and the second digest of a tag is kept without it.
 */
export class RequestedImages {
  readonly #images = new Map<string, RequestedImage>()

  addPackage(name: ImageName, isXpkg: boolean): void {
    this.#add({name: full(name), role: 'package', isXpkg, usedBy: []})
  }

  /** Adds an image by its name in a Pod. Throws `source-invalid` for anything else. */
  add(text: string, usedBy?: string): void {
    const name = parseImageName(text)
    if (name === undefined)
      throw new CrossplaneError(
        'reference-invalid',
        `cannot bundle ${quoted(text)}: not a reference of an image`,
        {
          suggestions: ['Write [HOST/]PATH[:TAG][@sha256:DIGEST] with a lowercase path.'],
        },
      )
    this.#add({name: full(name), role: 'image', isXpkg: false, usedBy: usedBy === undefined ? [] : [usedBy]})
  }

  all(): readonly RequestedImage[] {
    return [...this.#images.values()].sort((a, b) => compareText(a.reference, b.reference))
  }

  #add(image: Omit<RequestedImage, 'reference'>): void {
    const {tag, digest} = image.name
    const {byTag, byDigest} = referencesOf(image.name)
    const before = this.#images.get(byTag)?.digest
    const isOnlyDigest = tag === undefined && digest !== undefined
    const isOther = digest !== undefined && ![undefined, digest].includes(before)
    this.#keep({...image, ...present({digest})}, isOnlyDigest || isOther ? byDigest : byTag)
  }

  #keep(image: Omit<RequestedImage, 'reference'>, reference: string): void {
    const before = this.#images.get(reference)
    const digest = image.digest ?? before?.digest
    const isPackage = [before?.role, image.role].includes('package')
    const usedBy = new Set([...(before?.usedBy ?? []), ...image.usedBy])
    this.#images.set(reference, {
      name: image.name,
      reference,
      // That a package runs its own image is nothing to know.
      usedBy: isPackage ? [] : [...usedBy].sort(compareText),
      role: isPackage ? 'package' : 'image',
      isXpkg: image.isXpkg || before?.isXpkg === true,
      ...present({digest}),
    })
  }
}

function referencesOf({registry = '', path, tag = DEFAULT_TAG, digest}: ImageName) {
  const repository = `${registry}/${path}`
  return {byTag: `${repository}:${tag}`, byDigest: `${repository}@${digest ?? ''}`}
}

/** A reference in a bundle does not depend on defaults. */
function full(name: ImageName): ImageName {
  return {...name, ...repositoryOf(name)}
}
