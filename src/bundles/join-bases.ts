import {CrossplaneError} from '../errors.js'
import type {SourceFiles} from '../fetch/source-files.js'
import {present} from '../present.js'
import type {Bundle} from './open-bundle.js'

/**
 * Joins a bundle with its base, the base of that one, and so on; they are recognized by their digests. Throws `usage` for a
 * bundle that is not one of them.
 */
export function withBases(bundle: Bundle, bases: readonly Bundle[]): Bundle {
  const chain = chainOf(bundle, bases)
  const other = bases.find(base => !chain.includes(base))
  if (other !== undefined) throw notTheBase(other, chain.at(-1) ?? bundle)
  return joinChain(bundle, chain)
}

/** Joins a bundle with those of some bundles that it adds to. */
export function withBasesAmong(bundle: Bundle, others: readonly Bundle[]): Bundle {
  return joinChain(bundle, chainOf(bundle, others))
}

/** Joins bundles that add to one another, as the base of a new one. Throws `usage` for those that do not. */
export function joinedBases(bases: readonly Bundle[]): Bundle | undefined {
  const newest = bases.find(({artifact}) => !bases.some(({missingBase}) => missingBase === artifact.digest))
  if (newest === undefined) return undefined
  return withBases(
    newest,
    bases.filter(base => base !== newest),
  )
}

/** Digests form no cycles. */
function chainOf({missingBase}: Bundle, bases: readonly Bundle[]): readonly Bundle[] {
  const base = bases.find(({artifact}) => artifact.digest === missingBase)
  return base === undefined ? [] : [base, ...chainOf(base, bases)]
}

function joinChain({missingBase, ...own}: Bundle, chain: readonly Bundle[]): Bundle {
  const layout = chain.reduce((files, base) => joined(files, base.layout), own.layout)
  const last = chain.at(-1)
  return {...own, layout, ...present({missingBase: last === undefined ? missingBase : last.missingBase})}
}

/** Returns the files of a layout and of the one that it adds to. */
function joined(own: SourceFiles, base: SourceFiles): SourceFiles {
  return {name: own.name, file: async path => (await own.file(path)) ?? (await base.file(path))}
}

function notTheBase(actual: Bundle, {name, missingBase}: Bundle): CrossplaneError {
  const why = missingBase === undefined ? 'it is a whole bundle' : `it adds to the bundle ${missingBase}`
  const next =
    missingBase === undefined
      ? `Leave out ${actual.name}.`
      : 'Pass the bundle that was the base when it was created.'
  return new CrossplaneError('usage', `${actual.name} is not the base of ${name}: ${why}`, {
    suggestions: [next],
  })
}
