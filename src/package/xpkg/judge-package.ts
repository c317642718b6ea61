import {DEFAULT_PIN} from '../../xpkg/pins.js'
import {type JudgedPackage, withoutImage} from '../../inspect/policy/judged-package.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import type {ImageName} from '../../reference/image-name.js'
import {requestNames} from '../../xpkg/package-name.js'
import {judgedXpkgs} from './judge.js'
import {xpkgSetOf} from './render.js'
import {rootOfRead} from './roots.js'

/** Takes the place of a name where there is none: Crossplane derives further names from that of a package. */
const UNNAMED: ImageName = {registry: 'unnamed.invalid', path: 'package', tag: 'unnamed'}

/** Returns what rules see of a package that was read, without what it requires. */
export async function judgedRead(located: LocatedPackage, ports: PackagePorts): Promise<JudgedPackage> {
  const {reference = UNNAMED} = located
  const root = rootOfRead({...located, reference}, ports)
  const {repository, version = '', content} = root
  if (content === undefined) throw new RangeError(`${repository} was not read`)
  const closure = {
    ...{roots: [root], packages: [{repository, version, ...content}]},
    names: requestNames([{repository, ...content}]),
    ...{
      tags: new Map<string, readonly string[]>(),
      conflicts: [],
      notes: [],
      locked: [],
      signerChanges: [],
      yanked: new Map<string, never>(),
      passedOver: [],
    },
  }
  const set = xpkgSetOf(closure, {})
  const [judged] = await judgedXpkgs({closure, set, settings: {pin: DEFAULT_PIN}}, ports)
  if (judged === undefined) throw new RangeError(`${repository} was not judged`)
  if (located.reference !== undefined) return judged
  const {pkg, ...others} = withoutImage(judged, `${repository}:${version}`)
  return {...others, pkg: {...pkg, repository: located.name, tag: '', version: '', name: ''}}
}
