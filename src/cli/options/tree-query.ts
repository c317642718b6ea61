import {CrossplaneError} from '../../errors.js'
import {ARGOCD_DEFAULTS, FLUX_DEFAULTS} from '../../declaration/layout-settings.js'
import type {Layout} from '../../plan/layout/layout.js'
import type {OutputTree} from '../../pipeline/render/write-output.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {treeFlags} from '../flags/tree.js'

type TreeFlags = FlagValues<typeof treeFlags>

/** The layout of an output folder. Throws `usage` for flags that contradict each other. */
export function outputTree(flags: TreeFlags): Omit<OutputTree, 'path'> {
  return {
    layout: layoutOf(flags),
    externalCrds: false,
    assumeNoInstances: flags['assume-no-instances'],
  }
}

function layoutOf({layout = 'plain', 'repo-url': repoURL}: TreeFlags): Layout {
  if (layout === 'argocd') {
    if (repoURL === undefined) throw incomplete('--layout argocd requires --repo-url', 'Pass --repo-url URL.')
    return {name: layout, settings: {...ARGOCD_DEFAULTS, repoURL}}
  }
  if (repoURL !== undefined) throw incomplete('--repo-url requires --layout argocd', 'Leave out --repo-url.')
  return layout === 'flux' ? {name: layout, settings: FLUX_DEFAULTS} : {name: layout}
}

function incomplete(message: string, suggestion: string): CrossplaneError {
  return new CrossplaneError('usage', message, {suggestions: [suggestion]})
}
