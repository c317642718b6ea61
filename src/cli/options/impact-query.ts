import {CrossplaneError} from '../../errors.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {impactFlags} from '../flags/impact.js'
import {type ComparedSides, comparedSides, upgradedSides} from './compare-query.js'

/**
 * Returns the sides that flags name, or the lock of the default declaration and what an upgrade would select. Throws `usage`.
 * @param flagNames - names of the flags on the command line.
 */
export function impactSides(
  flags: FlagValues<typeof impactFlags>,
  flagNames: ReadonlySet<string>,
): ComparedSides {
  if (flags.objects === undefined)
    throw new CrossplaneError('usage', '--objects is required', {
      suggestions: ['Pass --objects PATH with the files of your objects, or --objects - for standard input.'],
    })
  if (flags.old !== undefined && flags.new !== undefined)
    return comparedSides([flags.old, flags.new], flags, flagNames)
  const sides = upgradedSides(undefined, flags, flagNames)
  if (sides !== undefined) return sides
  throw new CrossplaneError('usage', 'no packages to compare: no declaration found', {
    suggestions: ['Use --old and --new with two packages, folders, lock files or declarations.'],
  })
}
