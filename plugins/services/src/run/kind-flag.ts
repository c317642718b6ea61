import {CrossplaneError, type Discovery, nearest, quoted, type ResourceKind} from 'kubectl-crossplane/plugin'

const FORM = /^([^./]+)\.([^/]+)(?:\/([^/]+))?$/

/** Throws `usage` for kinds that no server can serve, such as `buckets`: before a server is contacted. */
export function expectKinds(flag: string, ...texts: readonly string[]): void {
  const wrong = texts.find(text => !FORM.test(text))
  if (wrong === undefined) return
  throw new CrossplaneError('usage', `invalid --${flag} ${quoted(wrong)}: the group is missing`, {
    suggestions: ['Write it as PLURAL.GROUP, such as fancysqlinstances.database.example.org.'],
  })
}

/** Returns the kind that a flag names, such as `fancysqlinstances.database.example.org`, with or without its version. */
export function kindOf(flag: string, text: string, {resources}: Pick<Discovery, 'resources'>): ResourceKind {
  const [, name = '', group = '', version] = FORM.exec(text) ?? []
  const resource = resources.find(
    each =>
      each.group === group &&
      [each.plural, each.kind.toLowerCase()].includes(name.toLowerCase()) &&
      (version === undefined || each.version === version),
  )
  if (resource !== undefined) return {apiVersion: `${group}/${resource.version}`, kind: resource.kind}
  const names = resources.filter(each => each.group !== '').map(each => `${each.plural}.${each.group}`)
  const similar = nearest(text, [...new Set(names)])
  throw new CrossplaneError('not-found', `cannot run services: the cluster does not serve ${quoted(text)}`, {
    suggestions: [
      similar === undefined
        ? 'Name the kind as PLURAL.GROUP, and install the package that defines it.'
        : `Pass --${flag} ${similar}.`,
    ],
  })
}
