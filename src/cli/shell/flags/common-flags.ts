import {boolean, option} from '@oclif/core/flags'

/** Flags of every command. */
export const commonFlags = {
  color: option({
    options: ['auto', 'always', 'never'] as const,
    default: 'auto',
    helpGroup: 'GLOBAL',
    summary: 'Use colors; auto means on a terminal',
  })(),
  quiet: boolean({
    char: 'q',
    helpGroup: 'GLOBAL',
    summary: 'Print only warnings and errors on standard error',
  }),
  debug: boolean({
    helpGroup: 'GLOBAL',
    summary: 'Print stack traces and registry requests, without secrets',
  }),
}
