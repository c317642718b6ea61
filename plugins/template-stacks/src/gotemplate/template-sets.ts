import {type Diagnostic, type NamedTemplate, namedTemplate, STATUS_TEMPLATE} from 'kubectl-crossplane/plugin'
import type {Files, NamedText} from '../engines/engine.js'

/** The templates of one kind. */
export interface TemplateSet {
  /** `Kind.group/version`. */
  readonly key: string
  readonly kind: string
  readonly apiVersion: string
  /** In the order of their names; one object each. */
  readonly templates: readonly NamedText[]
  /** The template of the status, if there is one. */
  readonly status?: NamedText
}

/** The templates of a package, by kind, and the texts that they can include. */
export interface TemplateSets {
  readonly sets: readonly TemplateSet[]
  readonly partials: readonly (NamedText & {readonly key: string})[]
  readonly errors: readonly Diagnostic[]
}

/** Names of variables, which a template cannot have. */
const RESERVED = ['spec', 'metadata', 'errors']

/**
 * Reads the layout of a templates folder: `KIND.GROUP_VERSION/NAME.yaml` makes one object, `status.yaml` there the status,
 * and any other folder has texts for `include "FOLDER" "NAME"`. `folder` is for messages.
 */
export function templateSets(files: Files, folder: string): TemplateSets {
  const texts = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => textOf(path, bytes, folder))
  const templates = texts.filter(({renders}) => renders !== undefined)
  const keys = new Set(templates.map(({key}) => key))
  return {
    sets: [...keys].map(key => setOf(templates.filter(text => text.key === key))),
    partials: texts.flatMap(({key, name, text, path}) => (key === '' ? [] : [{key, name, text, path}])),
    errors: [
      ...templates.flatMap(nameError),
      ...texts.filter(({key}) => key === '').map(({path}) => unplaced(path)),
    ],
  }
}

interface PlacedText extends NamedTemplate {
  readonly path: string
  readonly text: string
}

function textOf(path: string, bytes: Uint8Array, folder: string): PlacedText {
  return {...namedTemplate(path), path: `${folder}/${path}`, text: new TextDecoder().decode(bytes)}
}

/** The texts of one folder, of which there is at least one. */
function setOf(texts: readonly PlacedText[]): TemplateSet {
  const [{key, renders} = {key: ''}] = texts
  const {kind = '', apiVersion = ''} = renders ?? {}
  const named = texts.map(({name, text, path}) => ({name, text, path}))
  const status = named.find(({name}) => name === STATUS_TEMPLATE)
  return {
    key,
    kind,
    apiVersion,
    templates: named.filter(({name}) => name !== STATUS_TEMPLATE),
    ...(status === undefined ? {} : {status}),
  }
}

function nameError({name, path}: PlacedText): Diagnostic[] {
  const isReserved = RESERVED.includes(name)
  if (!isReserved && /\.ya?ml$/.test(path)) return []
  const message = isReserved ? `${name} is a variable: rename the template` : 'a template is a file NAME.yaml'
  return [{severity: 'error', rule: 'gotemplate-name', message, file: path}]
}

function unplaced(file: string): Diagnostic {
  const message = 'the file is in no folder: templates are in KIND.GROUP_VERSION/NAME.yaml'
  return {severity: 'error', rule: 'gotemplate-name', message, file}
}
