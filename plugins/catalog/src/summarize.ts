import {
  asObject,
  asText,
  catalogRequirements,
  type CatalogVersion,
  present,
  signerText,
} from 'kubectl-crossplane/plugin'
import type {Field} from './fields.js'
import {LIMITS} from './limits.js'
import type {CrdSurface, KindVersion} from './pages/kind-page.js'
import {isIcon} from './pages/layout.js'
import {hasForm} from './pages/form-page.js'
import type {KindSummary, PermissionWords, VersionSummary} from './site-model.js'

/** An icon that a package has, and that cannot be shown. */
const UNUSABLE = 'unusable'
const SIGNED_BY = 'Signed by'

/** Returns what pages of other packages, and the next build, need of a version: no schemas. */
export function summarize(
  version: CatalogVersion,
  folder: string,
  kinds: readonly KindSummary[],
): VersionSummary {
  const {package: name, version: tag, isInFolder, inspection, surface} = version
  return {
    ...{package: name, version: tag, ...present({digest: version.digest}), isInFolder, folder},
    format: inspection.kind === 'XpkgReport' ? 'xpkg' : 'stack',
    presentation: shownOf(version),
    kinds,
    requirements: catalogRequirements(inspection),
    permissions: permissionsOf(version),
    images: imagesOf(version),
    about: aboutOf(version),
    ...requestOf(version),
    isNamespaced:
      inspection.kind === 'InspectReport' && inspection.report.package.permissionScope === 'Namespaced',
    unread: surface.unread,
  }
}

function shownOf({presentation: {kinds: _, ...own}}: CatalogVersion): VersionSummary['presentation'] {
  return {
    ...own,
    // One character more shows that the end is missing.
    readme: own.readme.slice(0, LIMITS.readme + 1),
    icon: own.icon === '' || isIcon(own.icon) ? own.icon : UNUSABLE,
  }
}

function permissionsOf({inspection, surface: {facts}}: CatalogVersion): PermissionWords {
  if (inspection.kind === 'XpkgReport')
    return {scope: 'listed', rules: facts.permission.map(words => ({words, wide: []}))}
  const {holdIn, rules} = inspection.report.permissions
  return {
    scope: holdIn,
    rules: rules.map(({words, wide}) => ({words, wide: wide.map(({mark, why}) => `${mark}: ${why}`)})),
  }
}

function imagesOf({inspection, surface: {facts}}: CatalogVersion): VersionSummary['images'] {
  if (inspection.kind === 'XpkgReport')
    return facts.image.map(image => ({
      image,
      pin: image.includes('@sha256:') ? 'digest' : 'tag',
      usedBy: '',
    }))
  return inspection.report.runs.images.map(({image = 'the image of the package', pin, usedBy}) => ({
    image,
    pin,
    usedBy: usedBy.join(', '),
  }))
}

function aboutOf({inspection, signatures}: CatalogVersion): VersionSummary['about'] {
  const rows: readonly (readonly [name: string, text: string])[] =
    inspection.kind === 'XpkgReport'
      ? [
          ['Crossplane', inspection.report.package.crossplane ?? 'any version'],
          ['Capabilities', inspection.report.package.capabilities.join(', ')],
          ['Calls', inspection.report.calls.join(', ')],
        ]
      : [['Crossplane', 'v0.12 and earlier']]
  const about = rows.flatMap(([name, text]) => (text === '' ? [] : [{name, text}]))
  return withSigners(about, signatures)
}

/** Returns the rows about a version with the signers that were verified in this run, and no others. */
export function withSigners(
  about: VersionSummary['about'],
  signatures: CatalogVersion['signatures'],
): VersionSummary['about'] {
  const text = signedBy(signatures)
  return [...about.filter(({name}) => name !== SIGNED_BY), ...(text === '' ? [] : [{name: SIGNED_BY, text}])]
}

/** Only what a policy verified is shown: anybody can claim to have signed. */
function signedBy(signatures: CatalogVersion['signatures']): string {
  if (signatures?.status !== 'verified') return ''
  return signatures.statements
    .map(({signer}) => (signer === undefined ? 'a key that is not named' : signerText(signer)))
    .join(', ')
}

function requestOf({inspection}: CatalogVersion): Pick<VersionSummary, 'request'> {
  if (inspection.kind === 'InspectReport') return {}
  const {kind, installsAs, name} = inspection.report.package
  return {request: {kind, name: installsAs ?? name}}
}

/** A kind with what was read of its versions. */
export interface SummarizedKind {
  readonly versions: readonly KindVersion[]
  readonly slug: string
  readonly presentation: CatalogVersion['presentation']
}

/** Returns what pages of others need of a kind. */
export function summarizeKind(crd: CrdSurface, {versions, slug, presentation}: SummarizedKind): KindSummary {
  const {spec, source} = crd
  const names = asObject(spec.names)
  const fields = new Set<string>()
  for (const {tree} of versions) addNames(tree.fields, fields)
  return {
    ...{plural: asText(names.plural), singular: asText(names.singular)},
    ...{crd: crd.name, kind: crd.kind, source, group: asText(spec.group), scope: asText(spec.scope)},
    ...presentedTexts(crd, presentation),
    versions: versions.map(({version}) => asText(version.name)),
    ...pagesOfKind(slug, hasForm(source, versions)),
    fields: [...fields],
  }
}

/** Returns the pages of a kind, relative to the folder of its version. */
export function pagesOfKind(slug: string, isForm: boolean): Pick<KindSummary, 'form' | 'page'> {
  return {page: `kinds/${slug}.html`, ...(isForm ? {form: `forms/${slug}.html`} : {})}
}

/** A title that is the name of the kind would be there twice. */
function presentedTexts({name, kind}: CrdSurface, {kinds}: CatalogVersion['presentation']) {
  const own = kinds.find(({crd}) => crd === name)
  const {title = '', overview = '', category = '', icon = '', groupTitle = '', groupOverview = ''} = own ?? {}
  return {
    title: title === kind ? '' : title,
    overview,
    category,
    icon: isIcon(icon) ? icon : '',
    groupTitle,
    groupOverview,
  }
}

function addNames(fields: readonly Field[], names: Set<string>): void {
  for (const field of fields) {
    names.add(field.name)
    addNames(field.fields, names)
  }
}
