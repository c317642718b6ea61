import type {PackageIndex} from '../../index/package-index.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {readPackage} from '../../unpack/read-package.js'
import {pulledPackage} from '../locate/locate-image.js'
import type {PackagePorts} from '../locate/located-package.js'
import type {Catalog, OpenPackage} from './catalog.js'
import type {NameRepository} from './repository-names.js'

/** The packages of an index, each pulled from where it is published, by the digest that the index says. */
export function indexCatalog(index: PackageIndex, ports: PackagePorts, nameOf: NameRepository): Catalog {
  return {
    summaries: index,
    tagsOf: async name => (await index.ofPackage(nameOf(name))).summaries.map(({tag}) => tag),
    yankedOf: async identity => (await index.ofPackage(identity)).yanked,
    open: summary => pulled(summary, ports),
  }
}

async function pulled(summary: PackageSummary, ports: PackagePorts): Promise<OpenPackage> {
  const {digest} = summary
  const pin = digest === undefined ? '' : `@${digest}`
  const located = await pulledPackage(parsePackageImage(`${formatSummary(summary)}${pin}`), ports)
  return {located, package: readPackage(located.name, located.files)}
}
