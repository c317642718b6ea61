import type {DeclaredPackage} from '../../declaration/declaration.js'
import {CrossplaneError} from '../../errors.js'
import type {RequestPorts} from '../../pipeline/request/read-request.js'
import type {FolderVersion, PackageFolder} from '../../locate/package-sources.js'
import {present} from '../../present.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {identityOf} from '../../reference/repository-name.js'
import {parsePackageImage, parsePackageReference} from '../../reference/package-reference.js'
import {type InstallTarget, parseInstallTarget} from '../../reference/install-target.js'
import {quoted} from '../../text.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {clusterSetFlags} from '../render/render-flags.js'
import {
  type GivenRuntime,
  type RequestArguments,
  requestParameters,
} from '../declaration/request-parameters.js'

/** The flags of `package install` that decide about the set. */
export type InstallFlags = FlagValues<typeof clusterSetFlags> & GivenRuntime

/** The entry of the declaration for a request. Throws `usage` for what a declaration cannot say. */
export function declaredEntry(
  {ref, name}: RequestArguments,
  flags: InstallFlags,
  flagNames: ReadonlySet<string>,
): DeclaredPackage {
  const {scope, crd, namespace} = flags
  const parameters = requestParameters(flags, name)
  if (parameters.scope !== undefined) {
    const flag = scope === undefined ? '--cluster' : '--scope'
    throw new CrossplaneError('usage', `${flag} and --git are mutually exclusive`, {
      suggestions: [`Leave out ${flag}: the package decides.`],
    })
  }
  const {source, imagePullPolicy, imagePullSecrets, serviceAccountAnnotations, runtime} = parameters
  return {
    ...requestedIn(ref, crd, flags['as-package']),
    ...present({namespace, name}),
    parameters: {
      ...(flagNames.has('source') ? {source} : {}),
      imagePullPolicy,
      imagePullSecrets,
      serviceAccountAnnotations,
    },
    ...present({runtime}),
  }
}

function requestedIn(
  ref: string | undefined,
  crd: string | undefined,
  asPackage: string | undefined,
): Pick<DeclaredPackage, 'package' | 'crd'> {
  if (ref === undefined && crd === undefined) {
    throw new CrossplaneError('usage', 'missing argument REF', {
      suggestions: ['Pass REF or --crd RESOURCE.GROUP[/VERSION].'],
    })
  }
  if (ref !== undefined && crd !== undefined) {
    throw new CrossplaneError('usage', 'REF and --crd are mutually exclusive', {
      suggestions: ['Leave out one of them.'],
    })
  }
  return declaredTarget(parseInstallTarget(ref ?? `crd:${crd ?? ''}`), ref, asPackage)
}

function declaredTarget(
  target: InstallTarget,
  ref: string | undefined,
  asPackage: string | undefined,
): Pick<DeclaredPackage, 'package' | 'crd'> {
  if (target.kind !== 'crd' && target.kind !== 'image') return {package: localName(ref ?? '', asPackage)}
  if (asPackage !== undefined) throw notLocal()
  return target.kind === 'crd' ? {crd: target.crd} : {package: ref}
}

function notLocal(): CrossplaneError {
  return new CrossplaneError('usage', '--as-package is for local packages', {
    suggestions: ['Leave out --as-package.'],
  })
}

/** Returns the name by which a local package is declared. Throws `usage`. */
function localName(ref: string, asPackage: string | undefined): string {
  if (asPackage !== undefined && parsePackageImage(asPackage).tag !== undefined) return asPackage
  const cause =
    asPackage === undefined ? 'is a local package, which has no name' : 'requires a tag in --as-package'
  throw new CrossplaneError('usage', `${quoted(ref)} ${cause} to declare`, {
    suggestions: ['Pass --as-package REPOSITORY:TAG with the name by which the package is declared.'],
  })
}

/** Adds a package that is named by its place to the folder of packages, under the name by which it is declared. */
export function withLocalPackage(
  ports: RequestPorts,
  {ref, 'as-package': asPackage}: {readonly ref?: string; readonly 'as-package'?: string},
): RequestPorts {
  if (ref === undefined || asPackage === undefined) return ports
  const at = parsePackageReference(ref)
  if (at.kind === 'image') return ports
  const {tag = '', ...name} = parsePackageImage(asPackage)
  const repositoryPath = formatImageName({path: name.path, ...present({registry: name.registry})})
  const packages: RequestPorts['packages'] = async declared => {
    const {folder, ...others} = await ports.packages(declared)
    return {...others, folder: withVersion(folder, name, {repositoryPath, tag, at})}
  }
  return {...ports, packages}
}

type NamedVersion = FolderVersion & {readonly repositoryPath: string}

function withVersion(folder: PackageFolder | undefined, name: ImageName, local: NamedVersion): PackageFolder {
  // A folder has paths without registries.
  const isOther = ({repositoryPath, tag}: NamedVersion) =>
    ![local.repositoryPath, name.path].includes(repositoryPath) || tag !== local.tag
  return {
    versions: async (requested, defaultSource) => {
      const versions = (await folder?.versions(requested, defaultSource)) ?? []
      const others = versions.filter(({tag}) => tag !== local.tag)
      const isLocal = identityOf(requested, defaultSource) === identityOf(name, defaultSource)
      return isLocal ? [...others, local] : versions
    },
    all: async () => [...((await folder?.all()) ?? []).filter(isOther), local],
  }
}
