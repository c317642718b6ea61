import type {LintReport} from '../../../author/lint/lint-report.js'
import {lintRule} from '../../../author/lint/lint-rules.js'
import {packageFile} from './package-file.js'
import {plainText} from '../text/plain-text.js'

/**
 * Formats a report of lint as SARIF 2.1.0, which code scanning reads:
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function formatSarif({findings}: LintReport, reference: string, version: string): string {
  const ids = [...new Set(findings.map(({rule}) => rule))].sort()
  const results = findings.map(({rule, severity, message, file, line}) => ({
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: severity,
    message: {text: plainText(message)},
    locations: [
      {
        physicalLocation: {
          artifactLocation: {uri: uriOf(packageFile(reference, file) ?? file)},
          region: line === undefined ? undefined : {startLine: line},
        },
      },
    ],
  }))
  const driver = {name: 'kubectl-crossplane', version, rules: ids.map(reportedRule)}
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [{tool: {driver}, results}],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function reportedRule(id: string) {
  const rule = lintRule(id)
  if (rule === undefined) return {id}
  const {title, why, advice, severity} = rule
  return {
    id,
    shortDescription: {text: title},
    fullDescription: {text: why},
    help: {text: advice},
    defaultConfiguration: {level: severity},
  }
}

/** A relative URI reference: a colon in its first segment would end a scheme. */
function uriOf(path: string): string {
  return path
    .split('/')
    .map(segment => encodeURIComponent(segment.toWellFormed()))
    .join('/')
}
