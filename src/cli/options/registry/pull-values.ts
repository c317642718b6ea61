import type {RegistryFlagValues} from './http-options.js'

/** The values of `pullFlags`, as oclif parses them. */
export interface PullFlagValues extends RegistryFlagValues {
  readonly platform?: string
  readonly 'default-source'?: string
  readonly offline: boolean
  readonly 'no-cache': boolean
  readonly 'cache-dir'?: string
}
