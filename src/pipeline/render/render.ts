import type {Diagnostic} from '../../diagnostic.js'
import type {InstallSet} from '../../render/install-set.js'
import {type RenderFiles, renderFiles} from './render-files.js'
import {type RenderPackage, renderPackage} from './render-package.js'
import type {RenderChoices} from './render-part.js'
import type {PackagePorts} from '../locate/located-package.js'
import type {RenderRequest} from './render-resolved.js'

export type RenderQuery = RenderFiles | RenderPackage | RenderRequest

/** The install set that a question asks for; with notes where dependencies were resolved. */
export async function render(
  query: RenderQuery,
  choices: RenderChoices,
  ports: PackagePorts,
): Promise<InstallSet & {readonly notes?: readonly Diagnostic[]}> {
  if ('files' in query) return await renderFiles(query, choices, ports)
  if ('requested' in query) {
    const {renderRequested} = await import('./render-resolved.js')
    return await renderRequested(query, choices, ports)
  }
  return await renderPackage(query, choices, ports)
}
