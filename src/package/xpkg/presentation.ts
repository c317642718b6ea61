import type {Xpkg} from '../../xpkg/content/xpkg.js'
import type {Presentation} from '../presentation.js'

/** Returns how a package presents itself, by the annotations of its metadata. */
export function presentXpkg({name, kind, annotations}: Xpkg): Presentation {
  const text = (field: string) => (annotations[`meta.crossplane.io/${field}`] ?? '').trim()
  const words = (field: string) =>
    text(field)
      .split(',')
      .map(word => word.trim())
      .filter(word => word !== '')
  return {
    type: kind,
    title: (annotations['friendly-name.meta.crossplane.io'] ?? text('friendly-name')).trim() || name,
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
