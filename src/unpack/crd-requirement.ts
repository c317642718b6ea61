/** The requirement of `dependsOn[].crd`: `<resource>.<group>[/<version>]`, with `*` for any resource. */
export interface CrdRequirement {
  readonly resource: string
  /** Empty where there is no dot: Kubernetes' own core group. */
  readonly group: string
  /** Without versions, any version is accepted. */
  readonly version?: string
}

export function crdRequirement(text: string): CrdRequirement {
  const [name = '', version = ''] = text.split('/', 2)
  const dot = name.indexOf('.')
  const [resource, group] = dot === -1 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
  return {resource, group, ...(version === '' ? {} : {version})}
}
