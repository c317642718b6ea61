import type {OwnedCrd, PackageSummary} from '../../src/index/package-summary.js'
import type {SolverInput, Root} from '../../src/resolve/solver-input.js'
import {parseCrdRequirement} from '../../src/resolve/requirement.js'
import type {Resolution, SatisfiedRequirement} from '../../src/resolve/resolution.js'
import {solve, type Solved, type SolveOptions} from '../../src/resolve/solve.js'

/** A CRD as `plural.group/v1,v2`: its kind is the plural with a capital, its singular the plural without an s. */
function owned(text: string): OwnedCrd {
  const [name = '', versions = 'v1'] = text.split('/')
  const dot = name.indexOf('.')
  const [plural, group] = [name.slice(0, dot), name.slice(dot + 1)]
  const served = versions.split(',')
  return {
    group,
    plural,
    singular: plural.replace(/s$/, ''),
    kind: `${plural.charAt(0).toUpperCase()}${plural.slice(1)}Kind`,
    scope: 'Namespaced',
    served,
    stored: served[0] ?? '',
  }
}

/** What a version of a package owns and needs; a need without a dot is a package. */
export interface Content {
  readonly owns?: readonly string[]
  readonly requires?: readonly string[]
  readonly scope?: 'Cluster' | 'Namespaced'
  readonly digest?: string
}

export function version(
  reference: string,
  {owns = [], requires = [], scope = 'Cluster', digest}: Content = {},
): PackageSummary {
  const [identity = '', tag = ''] = reference.split(':')
  return {
    identity,
    tag,
    version: tag,
    ...(digest === undefined ? {} : {digest}),
    permissionScope: scope,
    title: identity,
    category: '',
    keywords: [],
    crds: owns.map(owned),
    dependsOn: requires.map(requirement =>
      requirement.includes('.') ? {crd: requirement} : {package: requirement},
    ),
  }
}

/** What is asked for: `package`, `package:tag` or a CRD. */
export function root(text: string, place: Omit<Root, 'requirement'> = {}): Root {
  if (text.includes('.') && !text.includes(':')) return {requirement: parseCrdRequirement(text), ...place}
  const [identity = '', tag] = text.split(':')
  return {requirement: {form: 'package', text, identity, ...(tag === undefined ? {} : {tag})}, ...place}
}

export function input(
  roots: readonly (string | Root)[],
  summaries: readonly PackageSummary[],
  more: Partial<SolverInput> = {},
): SolverInput {
  return {
    roots: roots.map(each => (typeof each === 'string' ? root(each) : each)),
    summaries,
    unreadable: [],
    excluded: [],
    facts: [],
    owners: [],
    preferences: [],
    emptyGroups: ['core.crossplane.io'],
    identify: repository => repository,
    ...more,
  }
}

const ENDLESS = {isSpent: () => false}

export function solved(asked: SolverInput, options: Partial<SolveOptions> = {}): Solved {
  return solve(asked, {
    allowVersionMismatch: false,
    systemNamespace: 'crossplane-system',
    budget: ENDLESS,
    ...options,
  })
}

/** What was chosen, as `package:tag` in the order of choice, or the code of a refusal. */
export function selected(result: Solved): readonly string[] | string {
  if (result.kind === 'rejected') return result.code
  return result.resolution.packages.map(({summary: {identity, tag}}) => `${identity}:${tag}`)
}

/** Who satisfies each requirement that is there before and after. */
export const ownersOf = ({packages, roots}: Resolution) =>
  new Map(
    [
      ...roots.map(each => ['', each] as const),
      ...packages.flatMap(({summary, requirements}) =>
        requirements.map(each => [summary.identity, each] as const),
      ),
    ].map(([by, {requirement, by: owner}]: readonly [string, SatisfiedRequirement]) => [
      `${by} ${requirement.text}`,
      owner.kind === 'package' ? owner.identity : owner.kind,
    ]),
  )

/** A refusal as people read it. */
export function explained(result: Solved): string {
  if (result.kind === 'resolved') return `resolved: ${String(selected(result))}`
  const {code, message, diagnostics, suggestions} = result
  const lines = [
    `${code}: ${message}`,
    ...diagnostics.map(diagnostic => `  ${diagnostic.message} [${diagnostic.rule}]`),
    ...suggestions.map(suggestion => `Try: ${suggestion}`),
  ]
  return lines.map(line => `${line}\n`).join('')
}
