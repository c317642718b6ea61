import type {Diagnostic} from '../../diagnostic.js'
import {listSome} from '../../text.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {matchingCrds} from '../requirement.js'
import {type Edge, ROOT} from '../solver/constraints.js'
import type {SolverModel} from '../solver/solver-model.js'
import type {SolverInput} from '../solver-input.js'
import type {CitedEdge} from './minimal-rejection.js'
import {OWNER_WORDS} from './words.js'

/**
 * Explains a requirement that no version of its package satisfies, whatever else is selected: `who` is the beginning of
 * the sentence.
 */
export function explainRequirement(
  who: string,
  cited: CitedEdge,
  {edge, model, input}: {readonly edge: Edge; readonly model: SolverModel; readonly input: SolverInput},
): Diagnostic[] {
  const node = model.packageNode(edge.to)
  const rejected = node.rejected.map(({summary, reason, rule}) => ({
    severity: 'error' as const,
    rule,
    message: `${formatSummary(summary)} cannot be selected: ${reason}`,
    subject: {package: summary.identity, tag: summary.tag},
  }))
  const unreadable = input.unreadable
    .filter(({identity}) => identity === node.identity)
    .map(unreadablePackage => ({
      severity: 'error' as const,
      rule: 'unreadable-package',
      message: `${formatSummary(unreadablePackage)} cannot be read: ${unreadablePackage.reason}`,
      subject: {package: unreadablePackage.identity, tag: unreadablePackage.tag},
    }))
    .sort((a, b) => (a.message < b.message ? -1 : 1))
  const isKnown = unreadable.length > 0 || model.table.has(node.identity)
  return [headline(who, cited, {edge, model, isKnown}), ...rejected, ...unreadable]
}

function headline(
  who: string,
  {node: from, position, demand}: CitedEdge,
  {edge, model, isKnown}: {readonly edge: Edge; readonly model: SolverModel; readonly isKnown: boolean},
): Diagnostic {
  const {requirement} = demand
  const {identity, versions} = model.packageNode(edge.to)
  const tags = versions.map(({summary}) => summary.tag)
  const subject = {package: identity, candidates: tags}
  if (versions.length === 0) {
    return isKnown
      ? {
          severity: 'error',
          rule: 'no-version',
          message: `${who}, but no version of ${identity} can be selected`,
          subject,
        }
      : {
          severity: 'error',
          rule: 'missing-package',
          message: `${who}, but ${identity} was not found`,
          subject,
        }
  }
  const dependent = from === ROOT ? undefined : model.version(from, position).summary
  const owns = ({crds}: PackageSummary) =>
    requirement.form === 'package' || matchingCrds(requirement, crds).length > 0
  const isScope =
    edge.relaxed === 0n &&
    dependent?.permissionScope === 'Cluster' &&
    versions.some(({summary}) => owns(summary))
  if (isScope) {
    const message = `${who}, but ${identity} is Namespaced: there is no namespace to install it in for ${dependent.identity}, which is a Cluster package`
    return {severity: 'error', rule: 'scope', message, subject}
  }
  if (requirement.form === 'package') {
    const message = `${who}, but ${identity} is available only as ${listSome(tags)}`
    return {severity: 'error', rule: 'missing-version', message, subject}
  }
  const served = versions.map(({summary}) => {
    const crdVersions = [...new Set(matchingCrds(requirement, summary.crds).flatMap(crd => crd.served))]
    return `${summary.tag} ${crdVersions.length === 0 ? 'does not own it' : `serves ${crdVersions.join(', ')}`}`
  })
  const message = `${who}, which ${identity} owns (${OWNER_WORDS[edge.because]}), but ${listSome(served)}`
  return {severity: 'error', rule: 'stale-version', message, subject}
}
