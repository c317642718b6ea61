import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type CatalogVersion,
  type JsonObject,
} from 'kubectl-crossplane/plugin'
import type {Field, FieldTree} from '../fields.js'
import {html, Html} from '../html.js'
import type {KindSummary, SiteFile, Site} from '../site-model.js'
import {exampleList, type ShownExamples} from './example-list.js'
import {dividedName, iconOf, layOut, section} from './layout.js'

export type CrdSurface = CatalogVersion['surface']['crds'][number]

/** What a Composition makes for a composite. */
export interface Composition {
  readonly name: string
  readonly kinds: readonly {readonly text: string; readonly href?: string}[]
  readonly functions: readonly string[]
}

/** A served version of a kind, with its fields. */
export interface KindVersion {
  readonly version: JsonObject
  readonly tree: FieldTree
}

/** A kind, and where its page is. */
export interface ShownKind {
  readonly crd: CrdSurface
  readonly summary: KindSummary
  /** Its own, or that of the package. */
  readonly icon: string
  /** Those that are served. */
  readonly versions: readonly KindVersion[]
  readonly readme?: Html | undefined
  readonly compositions: readonly Composition[]
  readonly examples: ShownExamples
  readonly folder: string
  /** The page of its API group, relative to the folder. */
  readonly groupPage: string
  readonly above: readonly {readonly title: string; readonly path: string}[]
}

const SOURCES: Readonly<Record<CrdSurface['source'], string>> = {
  crd: 'CustomResourceDefinition',
  mrd: 'ManagedResourceDefinition',
  xrd: 'CompositeResourceDefinition',
  claim: 'Claim of a CompositeResourceDefinition',
  'function-input': 'Input of a function',
}

/** Writes the page of a kind: every field of every served version. */
export function kindPage(shown: ShownKind, site: Site): SiteFile {
  const {crd, summary, icon, versions, folder, above, readme} = shown
  const path = `${folder}/${summary.page}`
  const main = html`<div class="title">
      ${iconOf(icon, summary.kind, 'large')}
      <div>
        <h1>${dividedName(summary.kind)}</h1>
        <p class="sub"><code>${dividedName(summary.crd)}</code></p>
        ${summary.title === '' ? undefined : html`<p class="lead">${summary.title}</p>`}
      </div>
    </div>
    ${summary.overview === '' ? undefined : html`<p class="overview">${summary.overview}</p>`}
    ${actions(summary)} ${factTable(crd, summary, shown.groupPage)}
    ${section('readme', 'Readme', readme && html`<div class="readme">${readme}</div>`)}${section('compositions', 'Compositions', compositionList(shown.compositions), shown.compositions.length)}${section('examples', 'Examples', exampleList(shown.examples), shown.examples.shown.length)}${versions.map(
      (version, index) => versionSection(version, index === 0),
    )}${versions.length === 0 ? html`<p>No version is served.</p>` : undefined}`
  const description = `Fields of ${summary.kind} (${summary.crd})`
  return {path, content: layOut({path, title: summary.kind, main, above, description}, site)}
}

function actions({form, page}: KindSummary): Html | undefined {
  if (form === undefined) return undefined
  const up = '../'.repeat(page.split('/').length - 1)
  return html`<p class="actions"><a class="button" href="${up}${form}">Fill in a form</a></p>`
}

function factTable(
  {spec, source, connectionKeys, isInactive}: CrdSurface,
  {scope, category}: KindSummary,
  groupPage: string,
): Html {
  const {names, group} = spec
  const {shortNames, categories, plural, singular} = asObject(names)
  const rows: (readonly [string, string | Html])[] = [
    ['Group', html`<a href="../${groupPage}">${dividedName(asText(group))}</a>`],
    ['Scope', scope],
    ['Category', category],
    ['Plural', asText(plural)],
    ['Singular', asText(singular)],
    ['Short names', asTexts(shortNames).join(', ')],
    ['Categories', asTexts(categories).join(', ')],
    ['Defined by', SOURCES[source]],
    ['Connection keys', connectionKeys.join(', ')],
    ['State', isInactive ? 'inactive until a ManagedResourceActivationPolicy activates it' : ''],
  ]
  return definitions(rows)
}

/** A list of names with values, without those that are empty. */
export function definitions(rows: readonly (readonly [name: string, value: string | Html])[]): Html {
  const shown = rows.filter(([, value]) => value !== '')
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

function compositionList(compositions: readonly Composition[]): Html | undefined {
  if (compositions.length === 0) return undefined
  return html`${compositions.map(
    ({name, kinds, functions}) =>
      html`<div class="panel">
        <h3>${name}</h3>
        ${
          kinds.length === 0
            ? undefined
            : html`<p>Makes:</p>
                <ul>
                  ${kinds.map(({text, href}) => html`<li>${href === undefined ? text : html`<a href="${href}">${text}</a>`}</li>`)}
                </ul>`
        }
        ${functions.length === 0 ? undefined : html`<p>Functions that can make more: ${functions.join(', ')}</p>`}
      </div>`,
  )}`
}

function versionSection({version, tree}: KindVersion, isFirst: boolean): Html {
  const name = asText(version.name)
  const state = [
    ...(version.storage === true ? ['stored'] : []),
    ...(version.deprecated === true ? ['deprecated'] : []),
  ]
  return html`<details class="version" ${isFirst ? new Html(' open') : undefined}>
    <summary>
      <h2 id="${anchorOf(name, '')}">${name}</h2>
      ${state.map(text => html` <span class="badge">${text}</span>`)}
      <span class="count">${tree.count} fields</span>
    </summary>
    ${version.deprecationWarning === undefined ? undefined : html`<p class="note">${asText(version.deprecationWarning)}</p>`}${fieldTools()}
    ${ruleList(tree.rules)} ${fieldList(tree, name)} ${columns(version)}
  </details> `
}

/** Shown by the script, which opens and closes all fields. */
function fieldTools(): Html {
  return html`<p class="tools" hidden>
    <button type="button" data-open="all">Open all</button>
    <button type="button" data-open="none">Close all</button>
  </p>`
}

function fieldList({fields, omitted: left}: FieldTree, version: string): Html {
  let markup = '<div class="fields">'
  for (const field of fields) markup += fieldMarkup(field, version, 0)
  markup += '</div>'
  if (left > 0)
    markup += `<p class="note">${left === 1 ? '1 more field is' : `${left} more fields are`} not shown.</p>`
  return new Html(markup)
}

/** As text, because kinds have thousands of fields. `spec` is open, everything else is closed. */
function fieldMarkup(field: Field, version: string, depth: number): string {
  const id = anchorOf(version, field.path)
  const required = field.isRequired ? html` <span class="required">required</span>` : undefined
  const about = html` <span class="type">${field.type}</span>${required}`
  const body = html`${field.description === '' ? undefined : html`<p>${field.description}</p>`}${factsMarkup(field)}`
  if (field.fields.length === 0)
    return html`<div class="field" id="${id}">
      <div><a href="#${id}">${field.name}</a>${about}</div>
      ${body}
    </div> `.markup
  const isOpen = depth === 0 && field.name === 'spec'
  // A link within a summary would be a control within a control.
  const link = html`<a class="anchor" href="#${id}" aria-label="Link to ${field.name}">#</a>`
  const head = html`<summary><b>${field.name}</b>${about}</summary>
    ${link}${body}`
  let markup = `<details class="field" id="${id}"${isOpen ? ' open' : ''}>${head.markup}`
  for (const inner of field.fields) markup += fieldMarkup(inner, version, depth + 1)
  return `${markup}</details>\n`
}

function factsMarkup({facts, rules}: Field): Html | undefined {
  if (facts.length === 0 && rules.length === 0) return undefined
  return html`${
    facts.length === 0
      ? undefined
      : html`<ul class="limits">
          ${facts.map(([name, text]) => html`<li>${name} <code>${text}</code></li>`)}
        </ul>`
  }${ruleList(rules)}`
}

function ruleList(rules: Field['rules']): Html | undefined {
  if (rules.length === 0) return undefined
  return html`<ul class="rules">
    ${rules.map(({rule, message}) => html`<li>rule <code>${rule}</code>${message === '' ? undefined : html`: ${message}`}</li>`)}
  </ul>`
}

function columns(version: JsonObject): Html | undefined {
  const all = asObjects(version.additionalPrinterColumns)
  if (all.length === 0) return undefined
  return html`<h3>Printer columns</h3>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Path</th>
        </tr>
      </thead>
      <tbody>
        ${all.map(
          column =>
            html`<tr>
              <td>${asText(column.name)}</td>
              <td>${asText(column.type)}</td>
              <td><code>${asText(column.jsonPath)}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>`
}

/** Returns the anchor of a field: its version and path, with characters that an address would change written as numbers. */
function anchorOf(version: string, path: string): string {
  const text = path === '' ? version : `${version}.${path}`
  return text.replace(/[^\w.*[\]-]/gu, character => `_${(character.codePointAt(0) ?? 0).toString(16)}_`)
}
