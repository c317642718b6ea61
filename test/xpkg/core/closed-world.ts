import type {AuthoredPackage} from './published-packages.js'

/** The tag that is moved after rendering. */
export const MOVED = {name: 'base', tag: 'v1.1.0', to: 'v2.0.0'}

/**
 * Returns packages of which every version requires the same ones, so that whatever Crossplane selects before it gets the
 * whole set has a request in the set. Alone, it selects base v2.0.0 for the first parent, which excludes the second.
 */
export function closedWorld(path: string): readonly AuthoredPackage[] {
  const needs = (kind: string, name: string, version: string) => ({
    kind,
    repository: `${path}/${name}`,
    version,
  })
  const versions = (
    kind: string,
    name: string,
    requires: Readonly<Record<string, AuthoredPackage['requires']>>,
    defines?: string,
  ) =>
    Object.entries(requires).map(([tag, required]) => ({
      repository: `${path}/${name}`,
      tag,
      kind,
      requires: required,
      ...(defines === undefined ? {} : {defines}),
    }))
  const base = (version: string) => [needs('Provider', 'base', version)]
  const app = (net: string, inner: string) => [
    needs('Provider', 'net', net),
    needs('Function', 'template', '>=v0.1.0'),
    needs('Configuration', 'inner', inner),
  ]
  return [
    ...versions('Provider', 'base', {'v1.0.0': [], 'v1.1.0': [], 'v2.0.0': []}, 'Base'),
    ...versions('Provider', 'net', {'v1.0.0': base('>=v1.0.0'), 'v1.1.0': base('>=v1.1.0')}, 'Net'),
    ...versions('Function', 'template', {'v0.1.0': [], 'v0.2.0': []}),
    ...versions('Configuration', 'inner', {
      'v0.1.0': base('<v1.1.0'),
      'v0.2.0': base('>=v1.1.0, <v2.0.0'),
    }),
    ...versions('Configuration', 'app', {
      'v0.1.0': app('v1.0.0', 'v0.1.0'),
      'v0.2.0': app('v1.1.0', 'v0.2.0'),
    }),
  ]
}
