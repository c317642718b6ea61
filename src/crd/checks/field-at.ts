import {additionalOf, isGiven, propertyOf, type Schema} from '../schema-node.js'

/** A field that a path leads to, and the steps of that path. */
export interface FoundField {
  readonly schema: Schema
  readonly steps: readonly string[]
}

/**
 * Follows a path such as `.spec.size` or, where brackets are allowed, `.spec['size']`; undefined if it is invalid or
 * the field does not exist.
 */
export function fieldAt(
  schema: Schema,
  path: string,
  {brackets}: {readonly brackets: boolean},
): FoundField | undefined {
  const steps = stepsOf(path, brackets)
  if (steps === undefined) return undefined
  let current: Schema | undefined = schema
  for (const step of steps) {
    if (current === undefined) return undefined
    current = isGiven(current.properties) ? propertyOf(current, step) : valuesOf(current)
  }
  return current === undefined ? undefined : {schema: current, steps}
}

/** The schema of a map's values: unknown for a map of any values. */
function valuesOf(schema: Schema): Schema | undefined {
  return additionalOf(schema) ?? (typeof schema.additionalProperties === 'boolean' ? {} : undefined)
}

const STEP = /\.([^.[\]']+)|\['((?:[^'\\]|\\.)+)'\]/y

function stepsOf(path: string, brackets: boolean): string[] | undefined {
  const steps: string[] = []
  const step = new RegExp(STEP)
  while (step.lastIndex < path.length) {
    const [text, plain, quoted] = step.exec(path) ?? []
    if (text === undefined || (quoted !== undefined && !brackets)) return undefined
    steps.push(plain ?? unescaped(quoted ?? ''))
  }
  return steps
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}
