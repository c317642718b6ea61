import {present} from '../present.js'
import {compareText} from '../reference/compare-text.js'
import type {Xpkg} from '../xpkg/content/xpkg.js'
import {crdName, type OwnedCrd, type PackageSummary} from './package-summary.js'
import type {SummaryOrigin} from './summary-of.js'

/** Returns the summary of a package for a current Crossplane, with the CRDs that it leads to. */
export function summaryOfXpkg(
  {kind, annotations, objects}: Xpkg,
  {identity, tag, digest}: SummaryOrigin,
): PackageSummary {
  const crds = new Map<string, OwnedCrd>()
  for (const crd of objects.flatMap(object => object.crds ?? []))
    if (!crds.has(crdName(crd))) crds.set(crdName(crd), crd)
  const title = annotations['friendly-name.meta.crossplane.io'] ?? ''
  return {
    ...{identity, tag, version: tag, ...present({digest}), xpkg: kind},
    permissionScope: 'Cluster',
    title: title.replace(/\s+/g, ' ').trim(),
    category: '',
    keywords: [],
    crds: [...crds.values()].sort((a, b) => compareText(a.group, b.group) || compareText(a.plural, b.plural)),
    dependsOn: [],
  }
}
