import {CrossplaneError} from '../../errors.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {impactFlags} from '../flags/impact.js'
import {declaredObjects} from '../../pipeline/package-impact.js'
import type {RequestPorts} from '../../pipeline/request/read-request.js'
import {withDefaultDeclaration} from './default-declaration.js'
import {type ComparedSides, comparedSides, upgradedSides} from './compare-query.js'

/**
 * Returns the sides that flags name, or the lock of the default declaration and what an upgrade would select. Throws `usage`.
 * @param flagNames - names of the flags on the command line.
 */
export function impactSides(
  flags: FlagValues<typeof impactFlags>,
  flagNames: ReadonlySet<string>,
): ComparedSides {
  if (flags.old !== undefined && flags.new !== undefined)
    return comparedSides([flags.old, flags.new], flags, flagNames)
  const sides = upgradedSides(undefined, flags, flagNames)
  if (sides !== undefined) return sides
  throw new CrossplaneError('usage', 'no packages to compare: no declaration found', {
    suggestions: ['Use --old and --new with two packages, folders, lock files or declarations.'],
  })
}

/** Returns the paths of the objects: those of the flag, or of the default declaration. Throws `usage` without any. */
export async function objectPaths(
  {objects}: FlagValues<typeof impactFlags>,
  ports: RequestPorts,
): Promise<readonly string[]> {
  if (objects !== undefined) return objects
  const {declaration} = withDefaultDeclaration<{readonly declaration?: string}>(undefined, {})
  const declared = declaration === undefined ? [] : await declaredObjects(declaration, ports)
  if (declared.length > 0) return declared
  throw new CrossplaneError('usage', '--objects is required: no declaration names objects', {
    suggestions: ['Pass --objects PATH with the files of your objects, or --objects - for standard input.'],
  })
}
