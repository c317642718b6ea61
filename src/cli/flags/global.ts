import {boolean, option} from '@oclif/core/flags'

/** Flags that every command has. */
export const commonFlags = {
  color: option({
    options: ['auto', 'always', 'never'] as const,
    default: 'auto',
    helpGroup: 'GLOBAL',
    summary: 'Colour of messages; auto means on a terminal.',
  })(),
  debug: boolean({
    helpGroup: 'GLOBAL',
    summary: 'Show the stack of an error, and each request to a registry without its secrets.',
  }),
}
