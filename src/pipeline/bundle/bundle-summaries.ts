import {entryDiagnostics} from '../../index/entry/entry-document.js'
import type {PackageSummary} from '../../index/package-summary.js'
import {summaryOf} from '../../index/summary-of.js'
import {summaryOfXpkg} from '../../index/summary-of-xpkg.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {locatePackage} from '../../locate/locate-package.js'
import {parseImageName} from '../../reference/image-name.js'
import {identityOf} from '../../reference/repository-name.js'
import {readPackage} from '../../unpack/read-package.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import type {ImageContent} from './bundle-contents.js'

/** Returns the index entries of the packages among some images; a package without a tag has none. */
export async function bundleSummaries(
  contents: readonly ImageContent[],
  ports: PackagePorts,
): Promise<readonly PackageSummary[]> {
  const summaries: PackageSummary[] = []
  for (const {image} of contents) {
    const name = parseImageName(image.reference)
    if (image.role !== 'package' || name?.tag === undefined) continue
    const {tag} = name
    const {defaultSource: _full, ...others} = ports
    const reference = {kind: 'image', name: {...name, digest: image.digest}} as const
    const located = await locatePackage(reference, {...others})
    const origin = {identity: identityOf(name), tag, digest: image.digest}
    const {xpkg} = located.xpkg === undefined ? {} : examineXpkg(located.files)
    const summary =
      xpkg === undefined
        ? summaryOf(readPackage(located.name, located.files), origin)
        : summaryOfXpkg(xpkg, origin)
    if (entryDiagnostics(summary).length === 0) summaries.push(summary)
  }
  return summaries
}
