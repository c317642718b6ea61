import type {GroupMetadata, Icon, Package, PackageCrd} from '../../unpack/package.js'
import {asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import type {PresentedKind, Presentation} from '../presentation.js'

/** Returns how a package presents itself, by its app.yaml and the files for its kinds. */
export function presentStack({app, title, icons, crds}: Package): Presentation {
  const text = (field: string) => asText(app[field]).trim()
  return {
    type: text('packageType') || 'Stack',
    title,
    overview: text('overviewShort') || text('overview'),
    readme: text('readme') || text('overview'),
    category: text('category'),
    keywords: asTexts(app.keywords),
    maintainers: asObjects(app.maintainers).map(personText),
    company: text('company'),
    license: text('license'),
    website: text('website'),
    source: text('source'),
    icon: iconUri(icons[0]),
    kinds: crds.map(presentKind),
  }
}

function personText({name, email}: JsonObject): string {
  const [who, address] = [asText(name), asText(email)]
  if (who === '' || address === '') return who || address
  return `${who} <${address}>`
}

function iconUri(icon: Icon | undefined): string {
  return icon === undefined ? '' : `data:${icon.mediatype};base64,${icon.base64Data}`
}

function presentKind({definition, metadata: {group, resource, icon, uiSchemas}}: PackageCrd): PresentedKind {
  const {title, category, readme, overview} = textsOf(resource)
  const own = textsOf(group)
  return {
    crd: definition.name,
    ...{title, category, readme, overview, uiSchemas},
    icon: iconUri(icon),
    groupTitle: own.title,
    groupOverview: own.overview,
    groupReadme: own.readme,
  }
}

const NO_TEXTS: GroupMetadata = {title: '', category: '', readme: '', overview: '', overviewShort: ''}

function textsOf(metadata: GroupMetadata = NO_TEXTS) {
  const {title, category, readme, overview, overviewShort} = metadata
  return {title, category, readme, overview: overviewShort || overview}
}
