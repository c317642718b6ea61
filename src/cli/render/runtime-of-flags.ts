import {readRuntime} from '../../declaration/runtime/read-runtime.js'
import type {Runtime} from '../../declaration/runtime/runtime.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {quoted} from '../../text.js'
import type {FieldPath, JsonObject} from '../../yaml/json-value.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {runtimeFlags} from './runtime-flags.js'

/** The values of the flags of a runtime. */
export type RuntimeFlags = FlagValues<typeof runtimeFlags>

/** The runtime of flags other than --runtime. Throws `usage`. */
export function runtimeOfFlags({replicas, env = [], limits, requests}: RuntimeFlags): Runtime {
  const resources = {
    ...(limits === undefined ? {} : {limits: pairsIn('--limits', limits.split(','))}),
    ...(requests === undefined ? {} : {requests: pairsIn('--requests', requests.split(','))}),
  }
  const variables = Object.entries(pairsIn('--env', env)).map(([name, value]) => ({name, value}))
  const {runtime, errors} = readRuntime({
    ...present({replicas}),
    ...(Object.keys(resources).length === 0 ? {} : {resources}),
    ...(variables.length === 0 ? {} : {env: variables}),
  })
  const [error] = errors
  if (error === undefined) return runtime
  throw new CrossplaneError(
    'usage',
    `invalid ${flagOf(error.path)}: ${String(error.path.at(-1))} ${error.message}`,
  )
}

function flagOf([field, part]: FieldPath): string {
  return `--${String(field === 'resources' ? part : field)}`
}

function pairsIn(flag: string, pairs: readonly string[]): JsonObject {
  return Object.fromEntries(pairs.map(pair => pairIn(flag, pair)))
}

function pairIn(flag: string, pair: string): readonly [name: string, value: string] {
  const equals = pair.indexOf('=')
  if (equals > 0) return [pair.slice(0, equals).trim(), pair.slice(equals + 1)]
  const [form, example] =
    flag === '--env' ? ['NAME=VALUE', 'LOG_LEVEL=debug'] : ['RESOURCE=QUANTITY', 'cpu=500m']
  throw new CrossplaneError('usage', `invalid ${flag} ${quoted(pair)}`, {
    suggestions: [`Write ${form}, such as ${example}.`],
  })
}
