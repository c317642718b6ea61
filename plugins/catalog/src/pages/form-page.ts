import {asObject, asText, asTexts, type CatalogVersion, type JsonObject} from 'kubectl-crossplane/plugin'
import {html, type Html, jsonData} from '../html.js'
import type {Site, SiteFile} from '../site-model.js'
import {readUiSchemas, unfollowed} from '../ui-schema.js'
import type {KindVersion, ShownKind} from './kind-page.js'
import {dividedName, iconOf, layOut} from './layout.js'

/** A kind, and the files of its package that describe a form. */
export interface FormKind extends Omit<ShownKind, 'compositions' | 'examples' | 'readme'> {
  readonly presented: CatalogVersion['presentation']['kinds'][number] | undefined
}

/** What the script of a form reads. */
interface FormData {
  readonly apiVersion: string
  readonly kind: string
  readonly schema: JsonObject
  readonly hints: ReturnType<typeof readUiSchemas>['hints']
}

/** Writes the page with a form for objects of a kind, in the version that is stored; undefined if the kind has none. */
export function formPage(
  {summary, icon, versions, presented, folder, above}: FormKind,
  site: Site,
): SiteFile | undefined {
  const shown = versions.find(({version}) => version.storage === true) ?? versions[0]
  if (summary.form === undefined || shown === undefined) return undefined
  const path = `${folder}/${summary.form}`
  const version = asText(shown.version.name)
  const {hints, unread} = readUiSchemas(presented?.uiSchemas ?? [])
  const data: FormData = {
    apiVersion: `${summary.group}/${version}`,
    kind: summary.kind,
    schema: formSchema(shown, summary.scope === 'Namespaced'),
    hints,
  }
  const main = html`<div class="title">
      ${iconOf(icon, summary.kind, 'large')}
      <div>
        <h1>New ${dividedName(summary.kind)}</h1>
        <p class="sub"><code>${dividedName(data.apiVersion)}</code></p>
      </div>
    </div>
    <p class="lead">
      Fill in the fields, then copy the YAML. Limits of the schema are checked here; rules in CEL are shown
      with the <a href="../${summary.page}">fields of the kind</a>, and only an API server evaluates them.
    </p>
    ${unreadNote([...new Set([...unread, ...unfollowed(hints, data.schema)])])}
    <noscript
      ><p class="note">
        The form needs JavaScript. The <a href="../${summary.page}">fields of the kind</a> do not.
      </p></noscript
    >
    <div class="form" id="form"></div>
    ${jsonData('form-data', data)}`
  const page = {
    path,
    title: `New ${summary.kind}`,
    main,
    above: [...above, {title: summary.kind, path: `${folder}/${summary.page}`}],
  }
  return {path, content: layOut({...page, scripts: ['form-rules.js', 'form.js']}, site)}
}

const NAME: JsonObject = {
  type: 'string',
  maxLength: 253,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
}

/** Status is written by controllers; of the rest that is the same for all kinds, a form has the name and the namespace. */
function formSchema({version}: KindVersion, isNamespaced: boolean): JsonObject {
  const schema = asObject(asObject(version.schema).openAPIV3Schema)
  const isOwn = (name: string) => !['apiVersion', 'kind', 'metadata', 'status'].includes(name)
  const metadata = {
    type: 'object',
    required: ['name'],
    properties: {name: NAME, ...(isNamespaced ? {namespace: {type: 'string', maxLength: 63}} : {})},
  }
  const own = Object.entries(asObject(schema.properties)).filter(([name]) => isOwn(name))
  return {
    ...{...schema, type: 'object'},
    required: [...asTexts(schema.required).filter(isOwn), 'metadata'],
    properties: Object.fromEntries([['metadata', metadata], ...own]),
  }
}

function unreadNote(unread: readonly string[]): Html | undefined {
  if (unread.length === 0) return undefined
  return html`<details class="panel">
    <summary>Parts of the package's ui-schema that this form does not follow</summary>
    <ul>
      ${unread.map(part => html`<li><code>${part}</code></li>`)}
    </ul>
  </details> `
}

/** Reports whether a form can be made: not of the input of a function, which is not an object, and not of a schema of megabytes. */
export function hasForm(source: string, versions: readonly KindVersion[]): boolean {
  return source !== 'function-input' && versions.length > 0 && versions.every(({tree}) => tree.omitted === 0)
}
