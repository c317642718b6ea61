import {option, string} from '@oclif/core/flags'
import {checkListFormat} from './list-format.js'

const REPORT = {
  char: 'o',
  default: 'text',
  helpGroup: 'OUTPUT',
  summary: 'Output format; text may change between releases',
} as const

/** For a command that prints a report: text, or a document. */
export const reportOutputFlag = {
  output: option({...REPORT, options: ['text', 'json', 'yaml'] as const})(),
}

/** For a command that prints a part of a graph: text, a document, or a drawing. */
export const graphOutputFlag = {
  output: option({...REPORT, options: ['text', 'json', 'yaml', 'dot', 'mermaid'] as const})(),
}

/** For a command that runs tests: a report, or JUnit for CI. */
export const testOutputFlag = {
  output: option({...REPORT, options: ['text', 'json', 'yaml', 'junit'] as const})(),
}

/** For lint: a report, annotations of GitHub, or SARIF. */
export const lintOutputFlag = {
  output: option({
    ...REPORT,
    options: ['text', 'json', 'yaml', 'github', 'sarif'] as const,
    summary: `${REPORT.summary}; github prints GitHub Actions annotations, sarif a report for code scanning`,
  })(),
}

/** For check: text, a document, or annotations of GitHub. */
export const checkOutputFlag = {
  output: option({
    ...REPORT,
    options: ['text', 'json', 'yaml', 'github'] as const,
    summary: 'Output format; github prints GitHub Actions annotations',
  })(),
}

/** For render: objects, or annotations of GitHub for the changes of files. */
export const renderOutputFlag = {
  output: option({
    char: 'o',
    options: ['yaml', 'json', 'name', 'github'] as const,
    default: 'yaml',
    helpGroup: 'OUTPUT',
    summary: 'Output format; github prints GitHub Actions annotations for --dry-run',
  })(),
}

/** For a command that prints a list, in the formats of kubectl. */
export const listOutputFlag = {
  output: string({
    char: 'o',
    default: 'text',
    helpGroup: 'OUTPUT',
    helpValue: 'FORMAT',
    parse: format => Promise.resolve(checkListFormat(format)),
    summary:
      'Output format: text, wide, name, json, yaml or jsonpath=TEMPLATE; text may change between releases',
  }),
}

/** The same with drawings. */
export const listOrGraphOutputFlag = {
  output: string({
    char: 'o',
    default: 'text',
    helpGroup: 'OUTPUT',
    helpValue: 'FORMAT|GRAPH',
    parse: format => Promise.resolve(checkListFormat(format, ['dot', 'mermaid'])),
    summary:
      'Output format: text, wide, name, json, yaml, jsonpath=TEMPLATE, dot or mermaid; text may change between releases',
  }),
}

/** For a command that makes a change and reports it. */
export const outcomeOutputFlag = {
  output: option({
    char: 'o',
    options: ['text', 'json', 'yaml'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary: 'Output format',
  })(),
}

/** For a command that prints Kubernetes objects. */
export const objectOutputFlag = {
  output: option({
    char: 'o',
    options: ['yaml', 'json'] as const,
    default: 'yaml',
    helpGroup: 'OUTPUT',
    summary: 'Output format',
  })(),
}
