import {judgedInstall} from '../../inspect/policy/judged-install.js'
import type {JudgedPackage} from '../../inspect/policy/judged-package.js'
import {locatePackage} from '../../locate/locate-package.js'
import {expectSpelled} from '../../locate/near-names.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import type {ImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'
import {parsePackageImage, parsePackageReference} from '../../reference/package-reference.js'
import {locatedAs} from '../../package/stack/judge-installs.js'
import {assumedRender} from '../inspect.js'
import {judgedXpkgs} from '../../package/xpkg/judge.js'
import {xpkgSetOf} from '../../package/xpkg/render.js'
import {rootOfRead} from '../../package/xpkg/roots.js'

/** A package that is judged by itself, without its dependencies. */
export interface JudgedQuery {
  readonly reference: string
  readonly asPackage?: string
}

/**
 * Reads a package of either format, and returns what rules see of it. One on disk is unnamed without `asPackage`. Throws as
 * reading it does.
 */
export async function judgedReference(
  {reference, asPackage}: JudgedQuery,
  ports: PackagePorts,
): Promise<JudgedPackage> {
  const identity = asPackage === undefined ? {} : {asPackage: identityIn(asPackage, ports)}
  const options = {...ports, ...identity}
  const target = parsePackageReference(reference)
  if (target.kind === 'image') await expectSpelled(target.name, options)
  const located = await locatePackage(target, {...options})
  const judged = located.xpkg === undefined ? judgedStack(located) : await judgedXpkg(located, ports)
  return located.reference === undefined ? {...judged, isUnnamed: true} : judged
}

/** The name by which the package will be pulled. */
function identityIn(asPackage: string, {defaultSource}: PackagePorts): ImageName {
  const name = parsePackageImage(asPackage)
  return defaultSource === undefined ? name : nameFromSource(name, defaultSource)
}

function judgedStack(located: LocatedPackage): JudgedPackage {
  const parameters = {
    ...{imagePullSecrets: [], serviceAccountAnnotations: {}, pin: true},
    systemNamespace: SYSTEM_NAMESPACE,
  }
  const {era, install, set} = assumedRender(located, {api: 'packages', parameters})
  const {namespace, name, scope} = install.request
  const selected = locatedAs(located, install.version)
  const judged = judgedInstall({
    install: {
      ...{namespace, name, scope, era: era.name, mode: 'requested', for: {}},
      package: selected,
    },
    objects: set.objects,
  })
  return selected.digest === undefined ? withoutImage(judged, install.image) : judged
}

/** The digest of a package that was not pushed yet is unknown, so its own image is left out. */
function withoutImage(judged: JudgedPackage, own: string): JudgedPackage {
  const images = judged.images.filter(({reference}) => reference !== own)
  return {...judged, images, pkg: {...judged.pkg, images: images.map(({reference}) => reference)}}
}

/** Takes the place of a name where there is none: Crossplane derives further names from that of a package. */
const UNNAMED: ImageName = {registry: 'unnamed.invalid', path: 'package', tag: 'unnamed'}

async function judgedXpkg(located: LocatedPackage, ports: PackagePorts): Promise<JudgedPackage> {
  const {reference = UNNAMED} = located
  const root = rootOfRead({...located, reference}, ports)
  const {repository, version = '', content} = root
  if (content === undefined) throw new RangeError(`${repository} was not read`)
  const closure = {
    ...{roots: [root], packages: [{repository, version, ...content}]},
    ...{
      tags: new Map<string, readonly string[]>(),
      conflicts: [],
      notes: [],
      locked: [],
      signerChanges: [],
      passedOver: [],
    },
  }
  const set = xpkgSetOf(closure, {})
  const [judged] = await judgedXpkgs({closure, set, pin: 'config'}, ports)
  if (judged === undefined) throw new RangeError(`${repository} was not judged`)
  if (located.reference !== undefined) return judged
  const {pkg, ...others} = withoutImage(judged, `${repository}:${version}`)
  return {...others, pkg: {...pkg, repository: located.name, tag: '', version: '', name: ''}}
}
