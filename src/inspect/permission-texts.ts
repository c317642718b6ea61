import type {JudgedPackage, JudgedPermission} from './policy/judged-package.js'

/**
 * Lists the permissions of a package as `RESOURCE.GROUP: VERBS`, each once and sorted. Those on the kinds that it defines are
 * left out: they follow from these.
 */
export function permissionTexts({
  permissions,
  crds,
}: Pick<JudgedPackage, 'permissions' | 'crds'>): readonly string[] {
  const own = new Set(crds.flatMap(({name, group}) => [name, `*.${group}`]))
  return [...new Set(permissions.flatMap(rule => textsOf(rule, own)))].sort()
}

function textsOf(rule: JudgedPermission, own: ReadonlySet<string>): readonly string[] {
  const {apiGroups, resources, resourceNames, nonResourceURLs, verbs, scope} = rule
  const where = scope === 'Namespaced' ? ' in its namespace' : ''
  const only = resourceNames.length === 0 ? '' : ` named ${[...resourceNames].sort().join(', ')}`
  const allowed = [...verbs].sort().join(', ')
  const on = apiGroups.flatMap(group =>
    resources.flatMap(resource => {
      const [plural = '', ...part] = resource.split('/')
      const name = group === '' ? plural : `${plural}.${group}`
      return own.has(name) ? [] : [`${[name, ...part].join('/')}${only}${where}: ${allowed}`]
    }),
  )
  return [...on, ...nonResourceURLs.map(url => `${url}: ${allowed}`)]
}
