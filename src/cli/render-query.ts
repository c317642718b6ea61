import {type CrdApiVersion, crdApiVersionFor, servesV1beta1} from '../crd/kube-version.js'
import {CrossplaneError} from '../errors.js'
import type {RenderQuery} from '../pipeline/render.js'
import type {RenderChoices} from '../pipeline/render-part.js'
import {type EraName, ERAS} from '../render/era.js'
import {readInputFiles} from './input-files.js'
import {type RequestFlagValues, requestParameters} from './request-parameters.js'

/** The values of `package render`'s arguments and flags, as oclif parses them. */
export interface RenderArguments {
  readonly ref?: string
  readonly name?: string
  readonly source?: string
}

export interface RenderFlagValues extends RequestFlagValues {
  readonly api: EraName
  readonly filename?: readonly string[]
  readonly base: boolean
  readonly 'as-package'?: string
  readonly 'system-namespace': string
  readonly 'no-pin': boolean
  readonly 'create-namespace': boolean
  readonly 'include-request': boolean
  readonly 'allow-core-permissions': boolean
  readonly 'allow-full-deployment': boolean
  readonly 'crd-version'?: CrdApiVersion
  readonly 'kube-version'?: string
  readonly 'non-structural': 'refuse' | 'preserve'
}

/**
 * What a command line asks for, as a question for the pipeline. Throws `usage` where it contradicts itself.
 * @param written - names of the flags that the command line holds; the others are defaults or from the environment.
 */
export async function renderQuery(
  args: RenderArguments,
  flags: RenderFlagValues,
  written: ReadonlySet<string>,
): Promise<RenderQuery> {
  const pin = !flags['no-pin']
  const {namespace, filename} = flags
  if (args.ref === undefined) {
    refuseRequestFlags(flags, written)
    return {
      files: await readInputFiles(filename ?? []),
      systemNamespace: flags['system-namespace'],
      pin,
      ...(namespace === undefined ? {} : {namespace}),
    }
  }
  if (filename !== undefined) {
    throw new CrossplaneError('usage', `the package ${args.ref} and -f were given: they exclude each other`, {
      suggestions: ['Leave out one of them, or put a request for the package into the file.'],
    })
  }
  const asPackage = flags['as-package']
  return {
    reference: args.ref,
    ...(asPackage === undefined ? {} : {asPackage}),
    parameters: {
      ...requestParameters(flags, args.name, args.source),
      systemNamespace: flags['system-namespace'],
      pin,
    },
  }
}

/** Flags that say what objects in files say themselves. */
const REQUEST_FLAGS = [
  'scope',
  'cluster',
  'source',
  'image-pull-secret',
  'image-pull-policy',
  'service-account-annotation',
  'as-package',
] as const

function refuseRequestFlags(flags: RenderFlagValues, written: ReadonlySet<string>): void {
  if (flags.filename === undefined) {
    throw new CrossplaneError('usage', 'no package was given', {
      suggestions: ['Name one as REF, or pass --filename FILE with install requests or records.'],
    })
  }
  const given = REQUEST_FLAGS.find(flag => written.has(flag))
  if (given === undefined) return
  throw new CrossplaneError('usage', `--${given} and -f were given: they exclude each other`, {
    suggestions: [`Leave --${given} out: the objects in the files say it themselves.`],
  })
}

export function renderChoices(flags: RenderFlagValues): RenderChoices {
  return {
    era: ERAS[flags.api],
    base: flags.base,
    createNamespace: flags['create-namespace'],
    includeRequest: flags['include-request'],
    allowCorePermissions: flags['allow-core-permissions'],
    allowFullDeployment: flags['allow-full-deployment'],
    crds: {apiVersion: crdApiVersion(flags), nonStructural: flags['non-structural']},
  }
}

/** v1, unless the cluster is too old for it or the reader asks for the source's own. */
function crdApiVersion({'crd-version': asked, 'kube-version': kube}: RenderFlagValues): CrdApiVersion {
  if (asked === undefined) return kube === undefined ? 'v1' : crdApiVersionFor(kube)
  if (kube !== undefined && asked === 'v1beta1' && !servesV1beta1(kube)) {
    throw new CrossplaneError('usage', `--crd-version v1beta1 is nothing that Kubernetes ${kube} serves`, {
      suggestions: ['Leave --crd-version out: CRDs are converted to v1.'],
    })
  }
  return asked
}
