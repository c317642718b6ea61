import {dirname, isAbsolute, join} from 'node:path'
import type {Declaration, DeclaredPackage} from '../../../declaration/declaration.js'
import {readDeclaration} from '../../../declaration/read-declaration.js'
import {CrossplaneError} from '../../../errors.js'
import type {RequestedInstall} from '../../../pipeline/render/render-resolved.js'
import type {ResolutionPolicy} from '../../../pipeline/resolve/resolve-packages.js'
import {type InstallTarget, parseCrdName, parseInstallTarget} from '../../../reference/install-target.js'
import {isLocalPath} from '../../../reference/package-reference.js'
import {parseIndexName} from '../index/indexes.js'
import {readInputFiles} from '../input-files.js'
import {heldLock, type LockFlagValues} from './lock-query.js'
import {type ResolutionFlagValues, resolutionPolicy} from './resolution-policy.js'

/** What a command line asks for, and how to choose what that needs. */
export interface Asked {
  readonly requested: readonly RequestedInstall[]
  readonly policy: ResolutionPolicy
  /** Where the declaration says that packages come from; absent without one. */
  readonly sources?: DeclaredSources
}

/** With paths of indexes as they are from here, and not from the declaration's folder. */
export type DeclaredSources = Pick<Declaration, 'defaultSource' | 'registries' | 'indexes'>

/** The arguments and flags that say what is asked for. */
export interface AskedArguments {
  readonly ref?: string
  readonly name?: string
}

export interface AskedFlagValues extends ResolutionFlagValues, LockFlagValues {
  readonly crd?: string
  readonly namespace?: string
  readonly 'as-package'?: string
}

const NO_PARAMETERS = {imagePullSecrets: [], serviceAccountAnnotations: {}}

/**
 * One reference or CRD, or all that a declaration lists, held to a lock where one is named. Throws `usage` where a
 * command line contradicts itself.
 */
export async function askedFor(
  args: AskedArguments,
  flags: AskedFlagValues,
  parameters: RequestedInstall['parameters'] = NO_PARAMETERS,
): Promise<Asked> {
  const asked = await askedFreely(args, flags, parameters)
  const lock = await heldLock(flags)
  return {...asked, policy: {...asked.policy, ...(lock === undefined ? {} : {lock})}}
}

/** The same whatever lock there is. */
export async function askedFreely(
  {ref, name}: AskedArguments,
  flags: Omit<AskedFlagValues, 'lock-file' | 'locked'>,
  parameters: RequestedInstall['parameters'] = NO_PARAMETERS,
): Promise<Asked> {
  const {declaration: file, crd, namespace, 'as-package': asPackage} = flags
  if (file !== undefined) {
    refuseBoth({ref, '--crd': crd, '--namespace': namespace, '--as-package': asPackage})
    const declaration = await declarationIn(file)
    return {
      requested: declaration.packages.map(declaredInstall),
      policy: await resolutionPolicy(flags, declaration),
      sources: sourcesIn(declaration, file),
    }
  }
  const requested = {
    target: targetOf(ref, crd),
    parameters,
    ...(namespace === undefined ? {} : {namespace}),
    ...(name === undefined ? {} : {name}),
    ...(asPackage === undefined ? {} : {asPackage}),
  }
  return {requested: [requested], policy: await resolutionPolicy(flags)}
}

function refuseBoth(others: Readonly<Record<string, string | undefined>>): void {
  const other = Object.entries(others).find(([, value]) => value !== undefined)
  if (other === undefined) return
  const [name, value = ''] = other
  const what = name === 'ref' ? `the package ${value}` : name
  throw new CrossplaneError('usage', `${what} and --declaration were given: they exclude each other`, {
    suggestions: ['Write it into the declaration, or leave out one of them.'],
  })
}

async function declarationIn(file: string): Promise<Declaration> {
  const [input] = await readInputFiles([file], '--declaration')
  if (input === undefined) throw new RangeError('one file was asked for')
  return readDeclaration(input.name, input.bytes)
}

function sourcesIn({defaultSource, registries, indexes}: Declaration, file: string): DeclaredSources {
  return {
    ...(defaultSource === undefined ? {} : {defaultSource}),
    registries,
    indexes: indexes.map(index => (parseIndexName(index).kind === 'file' ? besideFile(index, file) : index)),
  }
}

/** A path that stands in a file; it stays one that is known as such. */
function besideFile(path: string, file: string): string {
  const found = isAbsolute(path) || file === '-' ? path : join(dirname(file), path)
  return isLocalPath(found) ? found : `./${found}`
}

function declaredInstall({
  package: reference,
  crd,
  namespace,
  name,
  parameters,
}: DeclaredPackage): RequestedInstall {
  return {
    target: targetOf(reference, crd),
    parameters,
    ...(namespace === undefined ? {} : {namespace}),
    ...(name === undefined ? {} : {name}),
  }
}

function targetOf(ref: string | undefined, crd: string | undefined): InstallTarget {
  if (ref !== undefined && crd !== undefined) {
    throw new CrossplaneError(
      'usage',
      `the package ${ref} and --crd ${crd} were given: they exclude each other`,
    )
  }
  if (crd !== undefined) return {kind: 'crd', crd: parseCrdName(crd)}
  if (ref !== undefined) return parseInstallTarget(ref)
  throw new CrossplaneError('usage', 'no package was given', {
    suggestions: ['Name one as REF, or pass --crd RESOURCE.GROUP[/VERSION] or --declaration FILE.'],
  })
}
