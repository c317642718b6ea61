import {CrossplaneError} from '../../errors.js'
import {isQualifiedName} from '../../reference/kubernetes-names.js'
import type {RequestParameters} from '../../pipeline/render/resolve-install.js'
import type {PullPolicy} from '../../reference/pull-policy.js'
import type {PermissionScope} from '../../unpack/package.js'

/** The values of `requestFlags`, as oclif parses them. */
export interface RequestFlagValues {
  readonly scope?: PermissionScope
  readonly cluster: boolean
  readonly namespace?: string
  readonly source?: string
  readonly 'image-pull-secret'?: readonly string[]
  readonly 'image-pull-policy'?: PullPolicy
  readonly 'service-account-annotation'?: readonly string[]
}

/** The request's parameters; `sourceArgument` is the old CLI's third argument. */
export function requestParameters(
  flags: RequestFlagValues,
  name: string | undefined,
  sourceArgument?: string,
): Omit<RequestParameters, 'systemNamespace' | 'pin'> {
  const scope = flags.cluster ? 'Cluster' : flags.scope
  const source = flags.source ?? sourceArgument
  return {
    ...(name === undefined ? {} : {name}),
    ...(flags.namespace === undefined ? {} : {namespace: flags.namespace}),
    ...(scope === undefined ? {} : {scope}),
    ...(source === undefined ? {} : {source}),
    ...(flags['image-pull-policy'] === undefined ? {} : {imagePullPolicy: flags['image-pull-policy']}),
    imagePullSecrets: flags['image-pull-secret'] ?? [],
    serviceAccountAnnotations: annotationsOf(flags['service-account-annotation'] ?? []),
  }
}

function annotationsOf(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(annotationOf))
}

function annotationOf(pair: string): [key: string, value: string] {
  const equals = pair.indexOf('=')
  const key = pair.slice(0, Math.max(0, equals))
  if (isQualifiedName(key)) return [key, pair.slice(equals + 1)]
  throw new CrossplaneError(
    'usage',
    `--service-account-annotation ${JSON.stringify(pair)} is no annotation`,
    {
      suggestions: ['Write KEY=VALUE, such as iam.example.org/role=reader.'],
    },
  )
}
