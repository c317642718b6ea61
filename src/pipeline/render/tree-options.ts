import {
  ARGOCD_DEFAULTS,
  FLUX_DEFAULTS,
  hasCredentials,
  type LAYOUTS,
  type LayoutSettings,
} from '../../declaration/layout-settings.js'
import {CrossplaneError} from '../../errors.js'
import type {Layout, TreeOptions} from '../../plan/layout/layout.js'
import {flagAndField, type ReadDeclaration} from '../request/given-settings.js'

/** The settings of a tree on a command line. */
export interface GivenTree {
  readonly layout?: (typeof LAYOUTS)[number]
  readonly repoURL?: string
}

/**
 * Joins the settings of a command line and a declaration. Throws `usage` if they have one with different values, and
 * for a layout that lacks one.
 */
export function treeOptions(tree: GivenTree, declaration?: ReadDeclaration): Omit<TreeOptions, 'path'> {
  const declared = declaration?.content.tree ?? {}
  if (declaration !== undefined) rejectBoth(tree, declaration)
  const {layout = 'plain', flux, argocd, crds} = {...declared, ...definedIn(tree)}
  return {
    layout: layoutOf(layout, {flux, argocd}, tree),
    externalCrds: crds === 'external',
  }
}

function definedIn({layout}: GivenTree): Pick<GivenTree, 'layout'> {
  return layout === undefined ? {} : {layout}
}

function rejectBoth({layout, repoURL}: GivenTree, declaration: ReadDeclaration): void {
  const {tree} = declaration.content
  if (isOther(layout, tree.layout)) throw flagAndField('--layout', 'layout', declaration)
  if (isOther(repoURL, tree.argocd?.repoURL)) {
    throw flagAndField('--repo-url', 'argocd.repoURL', declaration)
  }
}

function isOther(flag: string | undefined, field: string | undefined): boolean {
  return flag !== undefined && field !== undefined && flag !== field
}

function layoutOf(
  name: NonNullable<GivenTree['layout']>,
  {flux, argocd}: Pick<LayoutSettings, 'flux' | 'argocd'>,
  tree: GivenTree,
): Layout {
  if (name !== 'argocd' && tree.repoURL !== undefined) {
    throw invalid('--repo-url requires --layout argocd', 'Leave out --repo-url.')
  }
  if (name === 'plain') return {name}
  if (name === 'flux') return {name, settings: {...FLUX_DEFAULTS, ...flux}}
  const repoURL = tree.repoURL ?? argocd?.repoURL
  if (repoURL !== undefined && hasCredentials(repoURL)) {
    throw invalid(
      '--repo-url contains credentials, which must not be committed',
      'Leave out the user and the password: Argo CD has the credentials of repositories in Secrets.',
    )
  }
  if (repoURL === undefined) throw invalid('--layout argocd requires --repo-url', 'Pass --repo-url URL.')
  return {name, settings: {...ARGOCD_DEFAULTS, ...argocd, repoURL}}
}

function invalid(message: string, suggestion: string): CrossplaneError {
  return new CrossplaneError('usage', message, {suggestions: [suggestion]})
}
