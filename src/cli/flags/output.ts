import {option} from '@oclif/core/flags'

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
