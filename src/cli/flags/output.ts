import {option, string} from '@oclif/core/flags'
import {checkListFormat} from '../output/show-list.js'

/** For a command that prints a report: text, or a document. */
export const reportOutputFlag = {
  output: option({
    char: 'o',
    options: ['text', 'json', 'yaml'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary: 'Output format; text may change between releases',
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

/** For a command that makes a change and reports it. */
export const outcomeOutputFlag = {
  output: option({
    char: 'o',
    options: ['text', 'json'] as const,
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
