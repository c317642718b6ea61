import {CrossplaneError} from '../../errors.js'
import {podImages} from '../../kubernetes/pod-images.js'
import {parseImageName} from '../../reference/image-name.js'
import {imageWithoutSource} from '../../reference/image-source.js'
import {canonicalName} from '../../reference/repository-name.js'
import type {InstallSet} from '../../render/install-set.js'
import type {Part} from '../../render/render-part.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'
import {expectImageSource} from '../../resolve/packages/source-policy.js'
import type {PackageTrust} from '../../signatures/package-trust.js'
import {escaped} from '../../text.js'

/**
 * Judges the images that requests have from a source of their own, which their packages do not name: the source must be an allowed
 * one, and where an image had to be signed without it, a rule must require that of the image which runs. Throws `policy-refused` and
 * `signature-refused`.
 */
export function expectSourcedImages(
  parts: readonly Pick<Part, 'install'>[],
  objects: InstallSet['objects'],
  {teams, trust}: Pick<ResolutionPolicy, 'teams' | 'trust'>,
): void {
  for (const {install: asked} of parts) {
    const {namespace, name, package: own, request} = asked
    const {source} = request ?? {}
    if (source === undefined) continue
    const ofInstall = objects.filter(({install}) => install?.namespace === namespace && install.name === name)
    const by = own === undefined ? `${namespace}/${name}` : `${own.identity}:${own.tag}`
    for (const image of podImages(ofInstall.map(({object}) => object))) {
      const named = imageWithoutSource(image, source)
      if (named === undefined) continue
      expectImageSource({image, by}, teams)
      expectCovered({image, named, by, identity: own?.identity ?? ''}, trust)
    }
  }
}

/** An image with a digest is the one that its package names, whose signature covers the digest. */
function expectCovered(
  {
    image,
    named,
    by,
    identity,
  }: {readonly image: string; readonly named: string; readonly by: string; readonly identity: string},
  trust: PackageTrust | undefined,
): void {
  if (trust === undefined || trust.covers(canonicalName(image))) return
  const names = parseImageName(named)?.digest === undefined ? [named, identity] : [named]
  const covered = names.find(name => trust.covers(canonicalName(name)))
  if (covered === undefined) return
  throw new CrossplaneError(
    'signature-refused',
    `cannot use the image ${escaped(image)} of ${escaped(by)}: the source of its request replaces ${escaped(named)}, and no rule for signatures covers it as one covers ${escaped(covered)}`,
    {suggestions: ['Remove the source from the request, or add the image to the signatures of the policy.']},
  )
}
