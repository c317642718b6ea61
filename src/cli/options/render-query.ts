import {type CrdApiVersion, crdApiVersionFor, servesV1beta1} from '../../crd/kube-version.js'
import {CrossplaneError} from '../../errors.js'
import type {RenderQuery} from '../../pipeline/render/render.js'
import type {RenderChoices} from '../../pipeline/render/render-part.js'
import {type EraName, ERAS} from '../../render/era.js'
import {indexNames} from './index/indexes.js'
import {readInputFiles} from './input-files.js'
import {type RequestFlagValues, requestParameters} from './request-parameters.js'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'
import type {AskedFlagValues, DeclaredSources} from './resolution/wanted.js'

/** The values of `package render`'s arguments and flags, as oclif parses them. */
export interface RenderArguments {
  readonly ref?: string
  readonly name?: string
  readonly source?: string
}

export interface RenderFlagValues extends RequestFlagValues, AskedFlagValues {
  readonly api: EraName
  readonly packages?: string
  readonly index?: readonly string[]
  readonly filename?: readonly string[]
  readonly base: boolean
  readonly 'as-package'?: string
  readonly 'no-dependencies': boolean
  readonly 'no-pin': boolean
  readonly 'create-namespace': boolean
  readonly 'include-request': boolean
  readonly 'allow-core-permissions': boolean
  readonly 'allow-full-deployment': boolean
  readonly 'crd-version'?: CrdApiVersion
  readonly 'kube-version'?: string
  readonly 'non-structural': 'refuse' | 'preserve'
}

/** A question, and where the declaration says that packages come from. */
export type AskedRender = RenderQuery & {readonly sources?: DeclaredSources}

/**
 * What a command line asks for, as a question for the pipeline. Throws `usage` where it contradicts itself.
 * @param written - names of the flags that the command line holds; the others are defaults or from the environment.
 */
export async function renderQuery(
  args: RenderArguments,
  flags: RenderFlagValues,
  written: ReadonlySet<string>,
): Promise<AskedRender> {
  const pin = !flags['no-pin']
  const {namespace, filename} = flags
  const systemNamespace = flags['system-namespace'] ?? SYSTEM_NAMESPACE
  refuseSeveral(args.ref, flags)
  if (isHeld(flags)) refuseLock(flags)
  refuseIndex(flags, written)
  if (flags.declaration !== undefined) refuseRequestFlags('--declaration', written)
  if (filename !== undefined) {
    refuseRequestFlags('-f', written)
    return {
      files: await readInputFiles(filename),
      systemNamespace,
      pin,
      policy: async () => (await import('./resolution/resolution-policy.js')).resolutionPolicy(flags),
      ...(namespace === undefined ? {} : {namespace}),
    }
  }
  const {name, namespace: _placed, ...parameters} = requestParameters(flags, args.name, args.source)
  if (args.ref === undefined || args.ref.startsWith('crd:') || !isAlone(flags)) {
    // Loaded here: one package by itself needs nothing of what resolves.
    const {askedFor} = await import('./resolution/wanted.js')
    return {...(await askedFor(args, flags, parameters)), pin}
  }
  const asPackage = flags['as-package']
  return {
    reference: args.ref,
    ...(asPackage === undefined ? {} : {asPackage}),
    parameters: {...requestParameters(flags, name, args.source), systemNamespace, pin},
  }
}

function isHeld({'lock-file': file, locked}: RenderFlagValues): boolean {
  return file !== undefined || locked === true
}

function hasPlace({packages, index}: RenderFlagValues): boolean {
  return packages !== undefined || indexNames({index}).length > 0
}

/** Whether what a package needs is nobody's concern: nobody said where to look for it. */
function isAlone(flags: RenderFlagValues): boolean {
  return flags['no-dependencies'] || !(hasPlace(flags) || isHeld(flags))
}

/** What is asked for comes from one place. */
function refuseSeveral(
  ref: string | undefined,
  {filename, declaration, crd, 'no-dependencies': noDependencies}: RenderFlagValues,
): void {
  const given = [
    ...(ref === undefined ? [] : [`the package ${ref}`]),
    ...(crd === undefined ? [] : ['--crd']),
    ...(filename === undefined ? [] : ['-f']),
    ...(declaration === undefined ? [] : ['--declaration']),
  ]
  const [first, second] = given
  if (first === undefined) {
    throw new CrossplaneError('usage', 'no package was given', {
      suggestions: [
        'Name one as REF, or pass --crd RESOURCE.GROUP[/VERSION], --declaration FILE, or --filename FILE with install requests or records.',
      ],
    })
  }
  if (second === undefined) return refuseAlone(ref, noDependencies && filename === undefined)
  throw new CrossplaneError('usage', `${first} and ${second} were given: they exclude each other`, {
    suggestions: ['Leave out one of them, or put a request for the package into the file.'],
  })
}

/** A lock says what was chosen, and there choosing nothing is asked for. */
function refuseLock({filename, 'no-dependencies': noDependencies}: RenderFlagValues): void {
  const other = filename === undefined ? '--no-dependencies' : '-f'
  if (filename === undefined && !noDependencies) return
  throw new CrossplaneError('usage', `a lock and ${other} were given: they exclude each other`, {
    suggestions: [`Leave out --lock-file and --locked, or ${other}.`],
  })
}

/** An index would not be asked: neither which version is the newest, nor what was withdrawn. */
function refuseIndex(
  {filename, 'no-dependencies': noDependencies}: RenderFlagValues,
  written: ReadonlySet<string>,
): void {
  if (filename !== undefined || !noDependencies || !written.has('index')) return
  throw new CrossplaneError('usage', '--index and --no-dependencies were given: they exclude each other', {
    suggestions: ['Leave out one of them: without dependencies nothing is looked up in an index.'],
  })
}

/** What is found by looking at all packages has no meaning without looking. */
function refuseAlone(ref: string | undefined, noDependencies: boolean): void {
  if (!noDependencies || (ref !== undefined && !ref.startsWith('crd:'))) return
  throw new CrossplaneError('usage', '--no-dependencies is for one package that is named as REF', {
    suggestions: ['Leave it out, or name the package.'],
  })
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

function refuseRequestFlags(from: '-f' | '--declaration', written: ReadonlySet<string>): void {
  const given = REQUEST_FLAGS.find(flag => written.has(flag))
  if (given === undefined) return
  throw new CrossplaneError('usage', `--${given} and ${from} were given: they exclude each other`, {
    suggestions: [`Leave --${given} out: what is in the files says it.`],
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
