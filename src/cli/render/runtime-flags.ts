import {integer, string} from '@oclif/core/flags'

/** Flags for how the controller of the requested package runs. */
export const runtimeFlags = {
  runtime: string({
    helpGroup: 'RUNTIME',
    helpValue: 'FILE',
    summary:
      'File with the runtime of the controller: fields such as affinity, tolerations and securityContext',
  }),
  replicas: integer({
    helpGroup: 'RUNTIME',
    helpValue: 'N',
    min: 0,
    summary: 'Number of replicas of the controller',
  }),
  env: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'RUNTIME',
    helpValue: 'NAME=VALUE',
    summary: 'Environment variable of the controller; can be repeated',
  }),
  limits: string({
    helpGroup: 'RUNTIME',
    helpValue: 'RESOURCE=QUANTITY[,…]',
    summary: 'Resource limits of each container, such as cpu=500m,memory=512Mi',
  }),
  requests: string({
    helpGroup: 'RUNTIME',
    helpValue: 'RESOURCE=QUANTITY[,…]',
    summary: 'Resource requests of each container, such as cpu=100m,memory=256Mi',
  }),
}

/** The names of these flags. */
export const RUNTIME_FLAGS = ['runtime', 'replicas', 'env', 'limits', 'requests'] as const
