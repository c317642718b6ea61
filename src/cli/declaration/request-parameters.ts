import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {isQualifiedName} from '../../reference/kubernetes-names.js'
import type {RequestParameters} from '../../render/resolve-install.js'
import {quoted} from '../../text.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {Runtime} from '../../declaration/runtime/runtime.js'
import type {requestFlags} from './request-flags.js'

/** The arguments that name the requested package or CRD, and its install. */
export interface RequestArguments {
  readonly ref?: string
  readonly name?: string
}

export type RequestFlags = FlagValues<typeof requestFlags> & GivenRuntime

/** The runtime that flags give, once its file is read. */
export interface GivenRuntime {
  readonly givenRuntime?: Runtime
}

/** The request's parameters; `sourceArgument` is the third argument of the old CLI. Throws `usage`. */
export function requestParameters(
  flags: RequestFlags,
  name: string | undefined,
  sourceArgument?: string,
): Omit<RequestParameters, 'systemNamespace' | 'pin'> {
  return {
    name,
    namespace: flags.namespace,
    scope: flags.cluster ? 'Cluster' : flags.scope,
    source: flags.source ?? sourceArgument,
    imagePullPolicy: flags['image-pull-policy'],
    imagePullSecrets: flags['image-pull-secret'] ?? [],
    serviceAccountAnnotations: annotationsOf(flags['service-account-annotation'] ?? []),
    ...present({runtime: flags.givenRuntime}),
  }
}

function annotationsOf(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(annotationOf))
}

function annotationOf(pair: string): [key: string, value: string] {
  const equals = pair.indexOf('=')
  const key = pair.slice(0, Math.max(0, equals))
  if (isQualifiedName(key)) return [key, pair.slice(equals + 1)]
  throw new CrossplaneError('usage', `invalid --service-account-annotation ${quoted(pair)}`, {
    suggestions: ['Write KEY=VALUE, such as iam.example.org/role=reader.'],
  })
}
