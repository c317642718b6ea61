import {CrossplaneError} from '../../errors.js'
import type {ReadRequest, RequestPorts} from '../request/read-request.js'
import type {GivenChoices} from './given-choices.js'
import {render, type RenderQuery, renderRead} from './render.js'
import type {GivenXpkgSettings, PackageQuery, RenderedSets} from './rendered-sets.js'

/**
 * Renders a query with packages of either format. What only packages for a current Crossplane need is loaded for them.
 * Throws as its parts do.
 */
export async function renderSets(
  query: RenderQuery,
  choices: GivenChoices,
  settings: GivenXpkgSettings,
  ports: RequestPorts,
): Promise<RenderedSets> {
  if (query.kind === 'files') return {stacks: await render(query, choices, ports)}
  if (query.kind === 'package') return await renderReference(query, choices, settings, ports)
  const {readRequest} = await import('../request/read-request.js')
  const {splitRequest} = await import('../xpkg/split-request.js')
  const request = await readRequest(query.query, ports)
  const parts = await splitRequest(request)
  if (parts.xpkgs.length === 0 && !isWithoutXpkgs(request))
    return {stacks: await renderRead(request, choices)}
  const {renderSplitRequest} = await import('./render-xpkg.js')
  return await renderSplitRequest(parts, request, choices, settings)
}

/** Whether the only packages that a declaration had were for a current Crossplane: its tree has no base. */
function isWithoutXpkgs({requested, policy: {lock}}: ReadRequest): boolean {
  const {packages = [], xpkgs} = lock?.lock ?? {}
  return requested.length === 0 && packages.length === 0 && xpkgs !== undefined
}

/** A package of the other format is rejected by the reader of packages with `.registry/`, before its files are read. */
async function renderReference(
  query: PackageQuery,
  choices: GivenChoices,
  settings: GivenXpkgSettings,
  ports: RequestPorts,
): Promise<RenderedSets> {
  try {
    return {stacks: await render(query, choices, ports)}
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'unsupported') throw error
    const {renderReferencedXpkg} = await import('./render-xpkg.js')
    const xpkgs = await renderReferencedXpkg(query, settings, ports)
    if (xpkgs === undefined) throw error
    return {xpkgs}
  }
}
