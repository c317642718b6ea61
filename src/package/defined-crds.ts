import type {XpkgContent} from '../resolve/xpkg/xpkg-catalog.js'
import type {DefinedKind, XpkgObject} from '../xpkg/content/xpkg.js'

/** Returns the kinds that a package defines: those of its CRDs, MRDs and XRDs. */
function definedKinds({objects = []}: Pick<XpkgContent, 'objects'>): readonly DefinedKind[] {
  return objects.flatMap(({role, defines}: XpkgObject) =>
    role === 'composition' || defines === undefined ? [] : [defines],
  )
}

/** Reports whether a package defines a CRD, as `RESOURCE.GROUP[/VERSION]`; `*` is any resource. */
export function definesCrd(content: Pick<XpkgContent, 'objects'>, crd: string): boolean {
  const [name = '', version] = crd.split('/')
  return definedKinds(content).some(
    ({plural, group, versions}) =>
      (name === `${plural}.${group}` || name === `*.${group}`) &&
      (version === undefined || versions.includes(version)),
  )
}
