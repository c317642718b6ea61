import {boolean, option, string} from '@oclif/core/flags'
import {bareClient, FILE_DRY_RUNS} from '../cli/shell/flags/dry-run.js'

/** The formats of the log of a controller. */
export const LOG_FORMATS = ['text', 'json'] as const

/** Flags of commands that run until they are interrupted, and of one pass of them that changes nothing. */
export const controllerFlags = {
  'dry-run': bareClient(
    option({
      options: FILE_DRY_RUNS,
      default: 'none',
      helpGroup: 'CONTROLLER',
      summary: 'Print what one pass would change, and change nothing; client without a value',
    })(),
  ),
  'metrics-address': string({
    helpGroup: 'CONTROLLER',
    helpValue: '[HOST]:PORT',
    summary: 'Serve /healthz, /readyz and /metrics at this address',
  }),
  'leader-elect': boolean({
    helpGroup: 'CONTROLLER',
    summary: 'Wait for a Lease, so that one of several replicas makes changes',
  }),
  'log-format': option({
    options: LOG_FORMATS,
    default: 'text' as const,
    helpGroup: 'CONTROLLER',
    summary: 'Format of the log on standard error',
  })(),
  output: option({
    char: 'o',
    options: ['text', 'json', 'yaml'] as const,
    helpGroup: 'OUTPUT',
    summary: 'Output format of --dry-run; text may change between releases',
  })(),
}
