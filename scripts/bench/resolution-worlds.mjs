// Worlds of packages that are hard to put together, or large: what the resolver is measured on.

/** @typedef {import('../../src/resolve/solver-input.js').SolverInput} SolverInput */

const count = (/** @type {number} */ length) => Array.from({length}, (_, index) => index)

/**
 * @param {string} identity
 * @param {number} index
 * @param {readonly string[]} owns CRDs as `plural.group/v1,v2`
 * @param {readonly string[]} requires
 */
function version(identity, index, owns, requires = []) {
  const tag = `v${index}.0.0`
  const crds = owns.map(text => {
    const [name = '', versions = ''] = text.split('/')
    const [plural = '', ...group] = name.split('.')
    const served = versions.split(',')
    return {
      group: group.join('.'),
      plural,
      singular: plural,
      kind: plural,
      scope: 'Namespaced',
      served,
      stored: served[0],
    }
  })
  return {
    identity,
    tag,
    version: tag,
    permissionScope: 'Cluster',
    title: identity,
    category: '',
    keywords: [],
    crds,
    dependsOn: requires.map(need => (need.includes('.') ? {crd: need} : {package: need})),
  }
}

/**
 * @param {readonly string[]} roots
 * @param {readonly ReturnType<typeof version>[]} summaries
 */
function input(roots, summaries) {
  return /** @type {SolverInput} */ ({
    roots: roots.map(identity => ({requirement: {form: 'package', text: identity, identity}})),
    summaries,
    unreadable: [],
    excluded: [],
    facts: [],
    owners: [],
    preferences: [],
    emptyGroups: [],
    identify: (/** @type {string} */ text) => text,
  })
}

/** Each pigeon takes any hole, by a version for each, and no two may own the same. */
export function pigeons(/** @type {number} */ birds, /** @type {number} */ holes) {
  const summaries = count(birds).flatMap(bird =>
    count(holes).map(hole => version(`p${bird}`, hole, [`hole${hole}.holes.org/v1`])),
  )
  return input(
    count(birds).map(bird => `p${bird}`),
    summaries,
  )
}

/** Layers of two packages, each version of which needs both of the next as they were; the last is broken but once. */
export function diamonds(/** @type {number} */ depth, /** @type {number} */ versions) {
  const sides = ['l', 'r']
  const summaries = count(depth).flatMap(layer =>
    sides.flatMap(side =>
      count(versions).map(index => {
        const other = `k.${side === 'l' ? 'r' : 'l'}${layer}.org/none`
        const next = sides.map(each => `k.${each}${layer + 1}.org/v${index}`)
        const needs = layer < depth - 1 ? next : index === 0 ? [] : [other]
        return version(`${side}${layer}`, index, [`k.${side}${layer}.org/v${index}`], needs)
      }),
    ),
  )
  return input(['l0', 'r0'], summaries)
}

/** One package with so many wildcards over so many groups, the last of which nobody can meet. */
export function wildcards(/** @type {number} */ needs, /** @type {number} */ groups) {
  const owners = count(groups).flatMap(group =>
    count(3).map(index => version(`o${group}`, index, [`a.g${group}.org/v1`, `b.g${group}.org/v${index}`])),
  )
  const requested = count(needs).map(need => `*.g${need % groups}.org/v${need === needs - 1 ? 9 : need % 2}`)
  return input(['app'], [version('app', 1, [], requested), ...owners])
}

/** 30 packages of six versions with 10 wildcards each over 40 groups, each in one version of it at odds with nobody. */
export function tangledWildcards() {
  const owners = count(40).flatMap(group =>
    count(6).map(index => version(`o${group}`, index, [`a.g${group}.org/v${index}`])),
  )
  const apps = count(30).flatMap(app =>
    count(6).map(index => {
      const groups = count(10).map(need => (app * 10 + need) % 40)
      const requested = groups.map(group => (index === 5 - (app % 5) ? 3 : (index * 7 + app * 3 + group) % 6))
      return version(
        `app${app}`,
        index,
        [],
        groups.map((group, need) => `*.g${group}.org/v${requested[need]}`),
      )
    }),
  )
  return input(
    count(30).map(app => `app${app}`),
    [...owners, ...apps],
  )
}

/**
 * So many packages of so many versions, of which so many are needed: each needs the next two in a version a little
 * older than its own, and every twentieth in one so old that the newest of those who need it do not agree.
 */
export function closure(
  /** @type {number} */ packages,
  /** @type {number} */ versions,
  /** @type {number} */ size,
) {
  const summaries = count(packages).flatMap(place =>
    count(versions).map(index => {
      const [oldest, older] = [Math.max(0, index - 2), Math.max(0, index - 1)]
      const next = place < size ? [place + 1, place + 2].filter(each => each < size) : []
      const needs = next.map(each => `k.g${each}.org/v${each % 20 === 0 ? Math.max(0, index - 5) : older}`)
      return version(`p${place}`, index, [`k.g${place}.org/v${oldest},v${older},v${index}`], needs)
    }),
  )
  return input(['p0'], summaries)
}
