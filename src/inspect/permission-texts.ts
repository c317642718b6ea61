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

/** A rule is a product of groups and resources: beyond this, it is one text, so that texts do not outgrow the package. */
const MAX_PRODUCT = 1000

function textsOf(rule: JudgedPermission, own: ReadonlySet<string>): readonly string[] {
  const {apiGroups, resources, resourceNames, nonResourceURLs, verbs, scope} = rule
  const where = scope === 'Namespaced' ? ' in its namespace' : ''
  const only = resourceNames.length === 0 ? '' : ` named ${sorted(resourceNames)}`
  const allowed = sorted(verbs)
  const on =
    apiGroups.length * resources.length > MAX_PRODUCT
      ? [`${sorted(resources)} of the groups ${sorted(apiGroups)}`]
      : apiGroups.flatMap(group =>
          resources.flatMap(resource => {
            const [plural = '', ...part] = resource.split('/')
            const name = group === '' ? plural : `${plural}.${group}`
            return own.has(name) ? [] : [[name, ...part].join('/')]
          }),
        )
  return [
    ...on.map(text => `${text}${only}${where}: ${allowed}`),
    ...nonResourceURLs.map(url => `${url}: ${allowed}`),
  ]
}

function sorted(texts: readonly string[]): string {
  return [...texts].sort().join(', ')
}
