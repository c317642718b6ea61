import {
  type ClusterApi,
  CrossplaneError,
  DEFINITION_KINDS,
  type KubernetesObject,
  objectText,
  quoted,
} from 'kubectl-crossplane/plugin'

/** Names the definition of a stack. */
export interface StackName {
  readonly namespace: string
  readonly name: string
}

/** Reads the flags that name a stack: `[NAMESPACE/]NAME`, or those of the original controller. Throws `usage`. */
export function stackName(
  flags: {
    readonly stack?: string | undefined
    readonly 'stack-definition-name'?: string | undefined
    readonly 'stack-definition-namespace'?: string | undefined
  },
  defaultNamespace: string,
): StackName {
  const text = flags.stack ?? flags['stack-definition-name'] ?? ''
  const [, before, name = ''] = /^(?:([^/]+)\/)?([^/]+)$/.exec(text) ?? []
  if (name === '') {
    const message =
      text === '' ? 'missing flag --stack' : `invalid --stack ${quoted(text)}: not NAMESPACE/NAME`
    throw new CrossplaneError('usage', message, {suggestions: ['Pass --stack NAMESPACE/NAME.']})
  }
  return {namespace: before ?? flags['stack-definition-namespace'] ?? defaultNamespace, name}
}

/** Finds the definition of a stack in either era. Throws `not-found`, and what the cluster denies. */
export async function findDefinition(
  {namespace, name}: StackName,
  api: Pick<ClusterApi, 'get' | 'resource'>,
): Promise<KubernetesObject> {
  let denied: CrossplaneError | undefined
  for (const kind of DEFINITION_KINDS) {
    try {
      const definition = await api.get({...kind, namespace, name})
      if (definition !== undefined) return definition
    } catch (error) {
      // The role of a stack has rights in its own era only.
      if (!(error instanceof CrossplaneError) || error.code !== 'cluster-denied') throw error
      denied ??= error
    }
  }
  if (denied !== undefined) throw denied
  const what = objectText({kind: DEFINITION_KINDS[0]?.kind ?? '', namespace, name})
  throw new CrossplaneError('not-found', `cannot run ${what}: not found`, {
    suggestions: ['Install the package, or pass --stack NAMESPACE/NAME.'],
  })
}
