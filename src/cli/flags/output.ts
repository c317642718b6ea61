import {option} from '@oclif/core/flags'

/** For a command whose answer is a report: words for people, or a document. */
export const reportOutputFlag = {
  output: option({
    char: 'o',
    options: ['text', 'json', 'yaml'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary: 'Output format; text is for people and may change.',
  })(),
}

/** For a command that does something and says what. */
export const outcomeOutputFlag = {
  output: option({
    char: 'o',
    options: ['text', 'json'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary: 'Output format.',
  })(),
}

/** For a command that prints Kubernetes objects. */
export const objectOutputFlag = {
  output: option({
    char: 'o',
    options: ['yaml', 'json'] as const,
    default: 'yaml',
    helpGroup: 'OUTPUT',
    summary: 'Output format.',
  })(),
}
