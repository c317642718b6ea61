import {boolean, option, string} from '@oclif/core/flags'

/** The formats of the log of a controller. */
export const LOG_FORMATS = ['text', 'json'] as const

/** Flags of commands that run until they are interrupted. */
export const controllerFlags = {
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
}
