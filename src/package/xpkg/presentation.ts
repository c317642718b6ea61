import type {LocatedPackage} from '../../locate/located-package.js'
import {invalidPackage} from '../../unpack/read-package.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import type {Presentation} from '../presentation.js'

/** Returns how a package presents itself, by the annotations of its metadata. Throws `package-invalid`. */
export function presentXpkg({name, files, folder}: LocatedPackage): Presentation {
  const {xpkg, errors} = examineXpkg(files)
  if (xpkg === undefined || errors.length > 0) throw invalidPackage(name, errors, folder)
  const {kind, annotations} = xpkg
  const text = (field: string) => (annotations[`meta.crossplane.io/${field}`] ?? '').trim()
  const words = (field: string) =>
    text(field)
      .split(',')
      .map(word => word.trim())
      .filter(word => word !== '')
  return {
    type: kind,
    title: (annotations['friendly-name.meta.crossplane.io'] ?? text('friendly-name')).trim() || xpkg.name,
    overview: text('description'),
    readme: text('readme'),
    category: words('category')[0] ?? '',
    keywords: words('keywords'),
    maintainers: words('maintainer'),
    company: '',
    license: text('license'),
    website: text('website'),
    source: text('source'),
    icon: text('iconURI') || text('iconData'),
    kinds: [],
  }
}
