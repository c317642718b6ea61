import type {RenderSettings} from '../../declaration/render-settings.js'
import {CrossplaneError} from '../../errors.js'
import {type GivenChoices, RENDER_FLAGS} from '../../package/given-choices.js'
import type {RenderQuery} from '../../package/rendered-sets.js'
import {present} from '../../present.js'
import {parseImageName} from '../../reference/image-name.js'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'
import {quoted} from '../../text.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {installSetFlags, renderFlags, upgradeFlags} from './render-flags.js'
import {RUNTIME_FLAGS} from './runtime-flags.js'
import {indexNames} from '../sources/index-name.js'
import {
  type GivenRuntime,
  type RequestArguments,
  requestParameters,
} from '../declaration/request-parameters.js'
import {resolutionQuery} from '../declaration/resolution-query.js'
import {resolutionSettings} from '../declaration/resolution-settings.js'

type RenderFlags = FlagValues<typeof installSetFlags> & Partial<FileFlags> & GivenRuntime
type FileFlags = Pick<
  FlagValues<typeof renderFlags>,
  'filename' | 'crd-version' | 'kube-version' | 'core-version'
>
/** The flags that `render`, `install` and `upgrade` have in common. */
type ContentFlags = Pick<RenderFlags, keyof typeof installSetFlags & keyof typeof upgradeFlags> &
  Partial<FileFlags>

/**
 * The query for an install set. Throws `usage` where a command line contradicts itself.
 * @param context - the namespace of Namespaced packages that are requested without one, if a cluster gives it.
 * @param written - names of the flags on the command line; the others are defaults or come from the environment.
 */
export function renderQuery(
  args: RequestArguments,
  flags: RenderFlags,
  flagNames: ReadonlySet<string>,
  context?: string,
): RenderQuery {
  const {namespace, filename} = flags
  const systemNamespace = flags['system-namespace'] ?? SYSTEM_NAMESPACE
  rejectSeveral(args.ref, flags, context === undefined)
  if (isHeld(flags)) rejectLock(flags)
  rejectIndex(flags, flagNames)
  if (flags.declaration !== undefined) rejectRequestFlags('--declaration', flagNames)
  if (filename !== undefined) {
    rejectRequestFlags('-f', flagNames)
    return {
      kind: 'files',
      files: filename,
      namespace,
      systemNamespace,
      settings: resolutionSettings(flags, flagNames),
    }
  }
  const {name, namespace: _placed, ...parameters} = requestParameters(flags, args.name)
  if (args.ref === undefined || args.ref.startsWith('crd:') || !isAlone(flags, context)) {
    const query = resolutionQuery(args, flags, flagNames, parameters)
    return {
      kind: 'resolution',
      query: {...query, settings: {...query.settings, contextNamespace: context}},
    }
  }
  return {
    kind: 'package',
    reference: args.ref,
    asPackage: flags['as-package'],
    ...present({coreVersion: flags['core-version']}),
    ...(flags['no-dependencies'] ? {isAlone: true} : {}),
    parameters: {...requestParameters(flags, name), systemNamespace, contextNamespace: context},
  }
}

function isHeld({'lock-file': file, locked}: RenderFlags): boolean {
  return file !== undefined || locked
}

function hasPlace({packages, index}: RenderFlags): boolean {
  return packages !== undefined || indexNames({index}).length > 0
}

/**
 * Reports whether dependencies are omitted: there are no packages to resolve them from, and no cluster that may have
 * them. A policy decides about all packages of a request, so that they are resolved.
 */
function isAlone(flags: RenderFlags, context: string | undefined): boolean {
  const isResolved = hasPlace(flags) || isHeld(flags) || flags.policy !== undefined
  return flags['no-dependencies'] || (context === undefined && !isResolved)
}

/** @param isSearched - whether the declaration of the working folder would have been used. */
function rejectSeveral(
  ref: string | undefined,
  {filename, declaration, crd, 'no-dependencies': noDependencies}: RenderFlags,
  isSearched: boolean,
): void {
  const sources = Object.entries({REF: ref, '--crd': crd, '-f': filename, '--declaration': declaration})
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
  const [first, second] = sources
  if (first === undefined) {
    throw isSearched
      ? new CrossplaneError('usage', 'missing argument REF; no declaration found', {
          suggestions: ['Pass REF, --crd RESOURCE.GROUP[/VERSION], --declaration FILE or --filename FILE.'],
        })
      : new CrossplaneError('usage', 'missing argument REF', {
          suggestions: [
            'Pass REF or --crd RESOURCE.GROUP[/VERSION], or --declaration FILE, such as crossplane-packages.yaml.',
          ],
        })
  }
  if (second !== undefined) throw mutuallyExclusive(first, second, 'Leave out one of them.')
  if (noDependencies && filename === undefined) rejectWithoutRef(ref)
}

/** Rejects a missing REF or a CRD: the package of these is found by resolving. */
function rejectWithoutRef(ref: string | undefined): void {
  if (ref !== undefined && !ref.startsWith('crd:')) return
  throw new CrossplaneError('usage', '--no-dependencies requires a package as REF', {
    suggestions: ['Leave out --no-dependencies, or pass the package as REF.'],
  })
}

function rejectLock({filename, locked, 'no-dependencies': noDependencies}: RenderFlags): void {
  if (filename === undefined && !noDependencies) return
  const flag = locked ? '--locked' : '--lock-file'
  throw mutuallyExclusive(flag, filename === undefined ? '--no-dependencies' : '-f', `Leave out ${flag}.`)
}

function rejectIndex(
  {filename, 'no-dependencies': noDependencies}: RenderFlags,
  flagNames: ReadonlySet<string>,
): void {
  if (filename !== undefined || !noDependencies) return
  const flag = ['index', 'policy'].find(name => flagNames.has(name))
  if (flag !== undefined) {
    throw mutuallyExclusive(`--${flag}`, '--no-dependencies', 'Leave out one of them.')
  }
}

/** Flags for values that the objects in files have. */
const REQUEST_FLAGS = [
  'scope',
  'cluster',
  'source',
  'image-pull-secret',
  'image-pull-policy',
  'service-account-annotation',
  ...RUNTIME_FLAGS,
  'as-package',
] as const

function rejectRequestFlags(from: '-f' | '--declaration', flagNames: ReadonlySet<string>): void {
  const requestFlag = REQUEST_FLAGS.find(flag => flagNames.has(flag))
  if (requestFlag !== undefined) throw mutuallyExclusive(`--${requestFlag}`, from, 'Set it in the file.')
}

function mutuallyExclusive(one: string, other: string, suggestion: string): CrossplaneError {
  return new CrossplaneError('usage', `${one} and ${other} are mutually exclusive`, {
    suggestions: [suggestion],
  })
}

function checkedImage(image: string | undefined): string | undefined {
  if (image === undefined || parseImageName(image) !== undefined) return image
  throw new CrossplaneError('usage', `invalid --controller-image ${quoted(image)}`, {
    suggestions: ['Write [HOST/]PATH[:TAG][@sha256:DIGEST] with a lowercase path.'],
  })
}

/** Returns the settings of rendering on a command line. */
export function givenChoices(flags: ContentFlags, flagNames: ReadonlySet<string>): GivenChoices {
  const settings: RenderSettings = {
    api: flags.api,
    base: flags['with-package-api'],
    createNamespace: flags['create-namespace'],
    includeRequest: flags['include-request'],
    kubeVersion: flags['kube-version'],
    crdVersion: flags['crd-version'],
    nonStructural: flags['non-structural'],
    pin: !flags['no-pin-image'],
    allowCorePermissions: flags['allow-core-permissions'],
    allowFullDeployment: flags['allow-full-deployment'],
    controllerImage: checkedImage(flags['controller-image']),
    templatesFrom: flags['templates-from'],
  }
  const having = (isGiven: boolean): RenderSettings =>
    Object.fromEntries(
      Object.entries(settings).flatMap(([name, value]: readonly [string, unknown]) => {
        if (flagNames.has(RENDER_FLAGS[name as keyof RenderSettings]) !== isGiven) return []
        // A boolean flag that is off, such as --with-package-api=false, has no value.
        const setting = value ?? (isGiven ? false : undefined)
        return setting === undefined ? [] : [[name, setting] as const]
      }),
    )
  return {flags: having(true), defaults: having(false)}
}
