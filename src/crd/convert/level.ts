import {EMBEDDED, PRESERVE, type Schema} from '../schema-node.js'

/** The position of a node. `metadata` is that of the resource itself, which a schema can hardly restrict. */
export type Level = 'root' | 'metadata' | 'below'

export function isResource(schema: Schema, level: Level): boolean {
  return level === 'root' || schema[EMBEDDED] === true
}

/** A value of unknown type: null was valid too, and v1 drops null unless it is nullable. */
export const ANYTHING: Schema = {nullable: true, [PRESERVE]: true}
