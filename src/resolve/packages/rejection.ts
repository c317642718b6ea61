import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {parseImageName} from '../../reference/image-name.js'
import {identityOf} from '../../reference/repository-name.js'
import {requirementOf} from '../requirement.js'
import type {Rejection, UnsatisfiedRequirement} from '../resolution.js'
import {sketch} from '../sketch.js'
import type {SolverInput} from '../solver-input.js'
import type {Catalog} from '../catalog/catalog.js'

/** The error for a rejection, with all requirements that nothing satisfies, and not only those that force it. */
export function unresolved({
  code,
  message,
  diagnostics,
  suggestions,
  ...rejection
}: Rejection & {readonly input: SolverInput}): CrossplaneError {
  return new CrossplaneError(code, message, {
    diagnostics: [...diagnostics, ...otherRequirements(rejection, diagnostics)],
    suggestions,
  })
}

/** Requirements that are missing or ambiguous whatever versions are selected. */
const OPEN_RULES: readonly string[] = [
  'missing-group',
  'missing-package',
  'ambiguous-owner',
  'distrusted-owner',
]

function otherRequirements(
  {input, selected}: Pick<Rejection, 'selected'> & {readonly input: SolverInput},
  reported: readonly Diagnostic[],
): Diagnostic[] {
  const {packages, roots} = sketch(input, {selected})
  const open = [
    ...roots.map(root => ({...root, dependent: undefined})),
    ...packages.flatMap(({summary, requirements}) =>
      requirements.map(requirement => ({...requirement, dependent: summary})),
    ),
  ]
  const diagnostics = open.flatMap(({requirement, by, dependent}) =>
    by.kind === 'unsatisfied' && OPEN_RULES.includes(by.rule)
      ? [openRequirement({requirement, by}, dependent)]
      : [],
  )
  const isNew = ({subject}: Diagnostic) =>
    !reported.some(({message}) => message.includes(subject?.requirement ?? ''))
  return [...new Map(diagnostics.filter(isNew).map(diagnostic => [diagnostic.message, diagnostic])).values()]
}

function openRequirement(
  {requirement, by}: UnsatisfiedRequirement,
  dependent: PackageSummary | undefined,
): Diagnostic {
  const requiredBy = dependent && formatSummary(dependent)
  const who =
    requiredBy === undefined
      ? `${requirement.text} is requested`
      : `${requiredBy} requires ${requirement.text}`
  return {
    severity: 'error',
    rule: by.rule,
    message: `${who}: ${by.words}`,
    subject: {requirement: requirement.text, requiredBy},
  }
}

/**
 * Suggests `--default-source` where a package requires another one without a registry, and the catalog has one of that
 * name in the registry of a dependent. It is only suggested: an identity never changes by itself.
 */
export async function withDefaultSource<Result extends Rejection & {readonly input: SolverInput}>(
  result: Result,
  catalog: Pick<Catalog, 'summaries'>,
): Promise<Result> {
  const suggestions: string[] = []
  for (const {host, name} of namesWithoutRegistry(result.input)) {
    const full = `${host}/${name}`
    const {summaries} = await catalog.summaries.ofPackage(full)
    if (summaries.length > 0) {
      suggestions.push(
        `Pass --default-source ${host}: ${name} is required without a registry, but ${full} exists.`,
      )
    }
  }
  return {...result, suggestions: [...new Set(suggestions), ...result.suggestions]}
}

/** Required packages that are not found, with the registry of each dependent. */
function namesWithoutRegistry({
  summaries,
  identify,
}: SolverInput): {readonly host: string; readonly name: string}[] {
  const identities = new Set(summaries.map(({identity}) => identity))
  return summaries.flatMap(({identity, dependsOn}) => {
    const dependent = parseImageName(identity)
    if (dependent?.registry === undefined) return []
    return dependsOn.flatMap(dependency => {
      const requirement = requirementOf(dependency, identify)
      if (requirement.form !== 'package' || identities.has(requirement.identity)) return []
      const name = parseImageName(requirement.identity)
      if (name === undefined || name.registry !== undefined) return []
      return [{host: dependent.registry ?? '', name: identityOf(name)}]
    })
  })
}
