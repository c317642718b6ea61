import {CORE_SCHEMA, loadAll} from 'js-yaml'

export interface PrintedObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {readonly name: string; readonly namespace?: string}
}

/** The objects of a YAML stream, read by a reader that is not ours. */
export function objectsIn(stream: string): PrintedObject[] {
  return loadAll(stream, {schema: CORE_SCHEMA}) as PrintedObject[]
}

/** `Kind namespace/name`, or `Kind name` where there is no namespace. */
export function identityOf({kind, metadata: {name, namespace}}: PrintedObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** Every value of two streams that differs, by object and path, as it was and as it is. */
export function differences(before: string, after: string): Record<string, readonly [unknown, unknown]> {
  const [was, is] = [leavesOf(before), leavesOf(after)]
  const paths = [...new Set([...was.keys(), ...is.keys()])]
  return Object.fromEntries(
    paths.flatMap(path => {
      const pair = [was.get(path), is.get(path)] as const
      return pair[0] === pair[1] ? [] : [[path, pair] as const]
    }),
  )
}

function leavesOf(stream: string): Map<string, unknown> {
  return new Map(objectsIn(stream).flatMap(object => [...leaves(identityOf(object), object)]))
}

function* leaves(path: string, value: unknown): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) yield [path, value]
  else for (const [key, item] of Object.entries(value)) yield* leaves(`${path}.${key}`, item)
}
