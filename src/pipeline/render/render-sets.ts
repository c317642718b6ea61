import {CrossplaneError} from '../../errors.js'
import type {XpkgSet} from '../../render/xpkg/xpkg-set.js'
import type {XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import type {ReadRequest, RequestPorts} from '../request/read-request.js'
import type {GivenChoices} from './given-choices.js'
import {type NotedSet, render, type RenderQuery} from './render.js'

/** Settings of a command line for packages for a current Crossplane. */
export type GivenXpkgSettings = Omit<XpkgSettings, 'coreVersion' | 'own'>

/** A rendered query: the set of packages with `.registry/`, that of packages for a current Crossplane, or both. */
export interface RenderedSets {
  readonly stacks?: NotedSet
  readonly xpkgs?: DeclaredXpkgSet
}

/** A set, and the declaration that requests it. */
export type DeclaredXpkgSet = XpkgSet & Pick<ReadRequest, 'declaration'>

/** A query for one package. */
export type PackageQuery = Extract<RenderQuery, {readonly kind: 'package'}>

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
  const {renderRequestedSets} = await import('./render-xpkg.js')
  return await renderRequestedSets(query.query, choices, settings, ports)
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
