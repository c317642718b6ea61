import {commandLine, CrossplaneError, listSome, nearest, quoted, shellWord} from 'kubectl-crossplane/plugin'
import type {ApiResource} from 'kubectl-crossplane/plugin'
import {type Kinds, kindsNamed} from './kinds.js'
import type {Start, Trace} from './trace.js'

/** Finds the first object of a trace by `TYPE[.GROUP]` and its name. Throws `usage` for a type that is not one kind. */
export function findStart(type: string, name: string, namespace: string, kinds: Kinds): Start {
  const [resource, ...others] = kindsNamed(type, kinds)
  if (resource === undefined) throw unknownType(type, name, kinds)
  if (others.length > 0) {
    const names = [resource, ...others].map(typeOf).sort()
    throw new CrossplaneError('usage', `ambiguous type ${quoted(type)}: ${listSome(names)}`, {
      suggestions: [commandLine(['trace', names[0] ?? '', name])],
    })
  }
  return {resource, name, ...(resource.namespaced ? {namespace} : {})}
}

function unknownType(type: string, name: string, kinds: Kinds): CrossplaneError {
  const near = nearest(
    type,
    kinds.all.flatMap(resource => [resource.plural, resource.kind.toLowerCase(), typeOf(resource)]),
  )
  return new CrossplaneError('usage', `unknown type ${quoted(type)}: not served by the cluster`, {
    suggestions: [near === undefined ? 'kubectl api-resources' : commandLine(['trace', near, name])],
  })
}

/** Returns the name of a type that is not ambiguous: `buckets.storage.example.org`. */
function typeOf({plural, group}: ApiResource): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** Throws `not-found` if the first object does not exist, and the failure if it could not be read. */
export function expectFound({resource, namespace, name}: Start, {nodes: [first]}: Trace): void {
  const place = namespace === undefined ? '' : ` in namespace ${quoted(namespace)}`
  const what = `${resource.kind} ${quoted(name)}${place}`
  if (first?.state === 'Missing') {
    const flags = namespace === undefined ? [] : ['--namespace', namespace]
    throw new CrossplaneError('not-found', `cannot trace ${what}: not found`, {
      isAnswer: true,
      suggestions: [['kubectl get', ...[typeOf(resource), ...flags].map(shellWord)].join(' ')],
    })
  }
  if (first?.state === 'Unknown') throw new CrossplaneError('cluster-denied', first.reason)
}

/** Throws `cluster-denied` if it is not known whether all objects are ready. */
export function expectComplete({gaps}: Trace): void {
  const [first, ...others] = gaps
  if (first === undefined) return
  if (others.length === 0) throw new CrossplaneError('cluster-denied', first)
  throw new CrossplaneError('cluster-denied', 'cannot determine whether all objects are ready', {
    diagnostics: gaps.map(message => ({severity: 'error', rule: 'trace-incomplete', message})),
  })
}
