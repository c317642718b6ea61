import {CrossplaneError} from '../../errors.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {impactFlags} from './impact-flags.js'
import {present} from '../../present.js'
import {declaredObjects} from '../../pipeline/impact/package-impact.js'
import type {RequestPorts} from '../../pipeline/request/read-request.js'
import {withDefaultDeclaration} from '../sources/default-declaration.js'
import type {ComparedSides} from '../../pipeline/impact/compared-sets.js'
import {comparedSides, upgradedSides} from './compare-query.js'

/**
 * Returns the sides that flags name, or the lock of a declaration and what an upgrade would select; of packages, if some are named.
 * Throws `usage`.
 * @param flagNames - names of the flags on the command line.
 */
export function impactSides(
  names: readonly string[],
  flags: FlagValues<typeof impactFlags>,
  flagNames: ReadonlySet<string>,
): ComparedSides {
  if (flags.old !== undefined && flags.new !== undefined) {
    if (names.length > 0) throw namedTwice()
    return comparedSides([flags.old, flags.new], flags, flagNames)
  }
  const sides = upgradedSides(flags.declaration, flags, flagNames)
  if (sides?.after.kind === 'upgrade') return {...sides, after: {...sides.after, names}}
  throw new CrossplaneError('usage', 'no packages to compare: no declaration found', {
    suggestions: ['Use --old and --new with two packages, folders, lock files or declarations.'],
  })
}

function namedTwice(): CrossplaneError {
  return new CrossplaneError('usage', 'PACKAGE and --old are mutually exclusive', {
    suggestions: ['Leave out --old and --new, or PACKAGE.'],
  })
}

type ObjectFlags = Partial<Pick<FlagValues<typeof impactFlags>, 'objects' | 'declaration' | 'context'>>

/** Returns the paths of the objects: those of the flag, or of the default declaration. Throws `usage` without any. */
export async function objectPaths(
  {objects, declaration: named, context}: ObjectFlags,
  ports: RequestPorts,
): Promise<readonly string[]> {
  if (objects !== undefined) return objects
  const {declaration} = withDefaultDeclaration<{readonly declaration?: string}>(
    undefined,
    present({declaration: named}),
  )
  const declared = declaration === undefined ? [] : await declaredObjects(declaration, ports)
  if (declared.length > 0 || context !== undefined) return declared
  throw new CrossplaneError('usage', '--objects is required: no declaration names objects', {
    suggestions: ['Pass --objects PATH with the files of your objects, or --objects - for standard input.'],
  })
}
