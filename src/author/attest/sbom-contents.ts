import {createHash} from 'node:crypto'
import {podImages} from '../../kubernetes/pod-images.js'
import type {PackageFiles} from '../../locate/image-files.js'
import type {Package} from '../../unpack/package.js'
import {displayPath} from '../../unpack/package-file.js'
import {invalidPackage, readPackage} from '../../unpack/read-package.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import type {Xpkg} from '../../xpkg/content/xpkg.js'

/** A CRD in a package, and the place that it is from. */
export interface PackagedCrd {
  readonly name: string
  /** The kind of the object that defines it. */
  readonly definedBy: string
  readonly file: string
  readonly line?: number
  /** The hash of the file, in hex. */
  readonly sha256?: string
  /** The version of controller-gen that wrote it. */
  readonly generator?: string
}

/** What a package depends on: another package, or a CRD of any. */
export type PackageDependency =
  | {readonly kind: 'package'; readonly package: string; readonly version?: string}
  | {readonly kind: 'crd'; readonly crd: string}

/** What an SBOM lists of the content of a package. */
export interface SbomContents {
  readonly crds: readonly PackagedCrd[]
  readonly dependencies: readonly PackageDependency[]
  /** The images that it runs besides its own, as written. */
  readonly images: readonly string[]
}

/** Reads what an SBOM lists of a package, of either format. Throws `package-invalid`. */
export function sbomContents(name: string, {files, xpkg}: PackageFiles): SbomContents {
  if (xpkg === undefined) return contentsOf(readPackage(name, files), hashesOf(files))
  const examined = examineXpkg(files)
  if (examined.xpkg === undefined) throw invalidPackage(name, examined.errors)
  return xpkgContents(examined.xpkg)
}

function hashesOf(files: PackageFiles['files']): ReadonlyMap<string, string> {
  return new Map(
    files.map(file => [displayPath(file), createHash('sha256').update(file.bytes).digest('hex')]),
  )
}

const GENERATOR = 'controller-gen.kubebuilder.io/version'

function contentsOf(
  {crds, dependencies, controller, behavior}: Package,
  hashes: ReadonlyMap<string, string>,
): SbomContents {
  const engine = [behavior?.controllerImage, behavior?.source.image]
  return {
    crds: crds.map(({file, object, definition}) => ({
      ...{name: definition.name, definedBy: object.kind, file},
      ...(hashes.has(file) && {sha256: hashes.get(file)}),
      ...(object.metadata.annotations?.[GENERATOR] !== undefined && {
        generator: object.metadata.annotations[GENERATOR],
      }),
    })),
    dependencies: dependencies.map(dependency =>
      'crd' in dependency ? {kind: 'crd', ...dependency} : {kind: 'package', ...dependency},
    ),
    images: [
      ...podImages(controller === undefined ? [] : [controller]),
      ...engine.filter(image => image !== undefined),
    ],
  }
}

/** The images of a package for a current Crossplane are its own layers. */
function xpkgContents({objects, dependencies}: Xpkg): SbomContents {
  return {
    crds: objects.flatMap(({kind, file, line, crds = []}) =>
      crds.map(({plural, group}) => ({name: `${plural}.${group}`, definedBy: kind, file, line})),
    ),
    dependencies: dependencies.map(({package: repository, version}) => ({
      ...{kind: 'package', package: repository},
      ...(version !== '' && {version}),
    })),
    images: [],
  }
}
