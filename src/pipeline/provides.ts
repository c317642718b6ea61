import {CrossplaneError} from '../errors.js'
import {crdName} from '../index/package-summary.js'
import type {UnreadablePackage} from '../index/summaries.js'
import {compareVersions} from '../reference/newest-version.js'
import {parseCrdName} from '../reference/install-target.js'
import {crdNeed, meant} from '../resolve/requirement.js'
import {folderCatalog} from './resolve/folder-catalog.js'
import {repositoryNames} from './resolve/repository-names.js'
import type {PackagePorts} from './locate/located-package.js'

/** Which packages own a CRD, each version by itself. */
export interface ProvidesReport {
  readonly crd: string
  /** By package, newest first. */
  readonly providers: readonly Provider[]
  readonly unreadable: readonly UnreadablePackage[]
}

interface Provider {
  readonly package: string
  readonly tag: string
  readonly version: string
  readonly name: string
  readonly kind: string
  readonly scope: string
  readonly served: readonly string[]
  readonly stored: string
  /** Whether it serves the version that was asked about; so if none was. */
  readonly serves: boolean
}

/** Everybody who owns what a name with or without `*` and version means. Throws `usage` without a folder. */
export async function provides(name: string, ports: PackagePorts): Promise<ProvidesReport> {
  const crd = parseCrdName(name.replace(/^crd:/, ''))
  if (ports.folder === undefined) {
    throw new CrossplaneError('usage', `who provides ${crd} can only be looked up in a folder of packages`, {
      suggestions: ['Pass --packages DIR.'],
    })
  }
  const need = crdNeed(crd)
  const {summaries, unreadable} = await folderCatalog(ports, repositoryNames([])).summaries.ofGroup(
    need.group,
  )
  const providers = summaries.flatMap(summary =>
    meant(need, summary.crds).map(owned => ({
      package: summary.identity,
      tag: summary.tag,
      version: summary.version,
      name: crdName(owned),
      kind: owned.kind,
      scope: owned.scope,
      served: owned.served,
      stored: owned.stored,
      serves: need.version === undefined || owned.served.includes(need.version),
    })),
  )
  return {crd, providers: providers.sort(byPackageAndVersion), unreadable}
}

function byPackageAndVersion(a: Provider, b: Provider): number {
  return compare(a.package, b.package) || compareVersions(a.tag, b.tag) || compare(a.name, b.name)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
