import {formatOf} from '../../locate/expect-format.js'
import {locateGiven} from '../../locate/locate-package.js'
import {recognize} from '../../package/recognize.js'
import type {GivenXpkgSettings} from '../../package/rendered-sets.js'
import {readRequest} from '../request/read-request.js'
import type {PackagesChange} from './core/change-packages.js'
import type {RequestedPackages} from './core/requested-packages.js'
import {type InstallPorts, type InstallQuery, prepareInstall} from './install.js'

/** Plans the installation of packages, which are recognized first. Throws as `prepareInstall` and `changePackages` do. */
export async function prepareAnyInstall(
  query: InstallQuery,
  settings: () => Promise<GivenXpkgSettings>,
  ports: InstallPorts,
): Promise<PackagesChange> {
  const requested = await requestedXpkgs(query.render, ports)
  if ('render' in requested) return await prepareInstall({...query, render: requested.render}, ports)
  const {changeRequested} = await import('./core/install-packages.js')
  const packages = await changeRequested(requested, {...query, choices: await settings()}, ports.api)
  if (requested.hasStacks !== true) return packages
  const {renderStacks} = await import('../render/render-stacks.js')
  const {bothChanges} = await import('./core/both-changes.js')
  const stacks = await prepareInstall(query, ports, renderStacks)
  return bothChanges(stacks, packages, requested.teams)
}

/** What a query requests of xpkgs, or the query if it has none. */
async function requestedXpkgs(
  render: InstallQuery['render'],
  {requests}: InstallPorts,
): Promise<RequestedPackages | Pick<InstallQuery, 'render'>> {
  if (render.kind === 'files') return {render}
  if (render.kind === 'package') {
    const located = await locateGiven(render, await requests.packages())
    if (formatOf(located) === 'stack') return {render: {...render, located}}
    const {requestedPackage} = await import('./core/requested-packages.js')
    return await requestedPackage(located, render, requests)
  }
  const request = await recognize(await readRequest(render.query, requests))
  if (request.parts.xpkg.length === 0) return {render}
  const {requestedPackages} = await import('./core/requested-packages.js')
  return requestedPackages(request)
}
