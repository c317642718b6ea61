import {EMBEDDED, PRESERVE, type Schema} from '../schema-node.js'

/** Where a node stands. `metadata` is that of the resource itself, of which a schema may hardly speak. */
export type Level = 'root' | 'metadata' | 'below'

export function isResource(schema: Schema, level: Level): boolean {
  return level === 'root' || schema[EMBEDDED] === true
}

/** A value of which nothing is known: null was valid too, and v1 drops null where it is not nullable. */
export const ANYTHING: Schema = {nullable: true, [PRESERVE]: true}
