import type {InspectQuery} from '../../pipeline/inspect.js'
import type {EraName} from '../../render/era.js'
import {type RequestFlagValues, requestParameters} from './request-parameters.js'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'

/** The values of `package inspect`'s arguments and flags, as oclif parses them. */
interface InspectArguments {
  readonly ref: string
  readonly name?: string
}

interface InspectFlagValues extends RequestFlagValues {
  readonly api: EraName
  readonly 'as-package'?: string
}

/** What a command line asks for, as a question for the pipeline. */
export function inspectQuery({ref, name}: InspectArguments, flags: InspectFlagValues): InspectQuery {
  const {api, 'as-package': asPackage} = flags
  return {
    reference: ref,
    api,
    ...(asPackage === undefined ? {} : {asPackage}),
    parameters: {...requestParameters(flags, name), systemNamespace: SYSTEM_NAMESPACE, pin: true},
  }
}
