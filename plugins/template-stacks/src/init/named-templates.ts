import {CrossplaneError, namedTemplate, pluralName} from 'kubectl-crossplane/plugin'
import type {Engine, Files, TemplateFacts} from '../engines/engine.js'
import {templateSets} from '../gotemplate/template-sets.js'
import {goTemplateFacts} from '../template-facts.js'
import type {NewKind} from './new-crd.js'
import {readSchema} from './read-schema.js'
import type {TemplateSource} from './sources.js'

/**
 * Reads named templates, `KIND.GROUP_VERSION/NAME.yaml`; where there is no such folder, the YAML files of the folder itself
 * are the templates of `given`. `spec` of each kind has the fields that its templates read. Throws `package-invalid`, and
 * `usage` for a kind without templates.
 */
export async function fromTemplates(
  files: Files,
  given: NewKind,
  isGiven: boolean,
  engine: Engine,
): Promise<TemplateSource> {
  const placed = placedFiles(files, given)
  const {sets, partials, errors} = templateSets(placed, FOLDER)
  if (errors.length > 0 || sets.length === 0) {
    throw new CrossplaneError(
      'package-invalid',
      'cannot create a package from the templates: invalid layout',
      {
        diagnostics: errors,
        suggestions: ['Write each template as KIND.GROUP_VERSION/NAME.yaml.'],
      },
    )
  }
  const facts = await goTemplateFacts({sets, partials}, engine)
  const kinds = sets.map(set => kindOf(set, given))
  if (isGiven && !kinds.some(kind => isSame(kind, given))) {
    throw new CrossplaneError('usage', `the folder has no templates for ${keyOf(given)}`, {
      suggestions: [`Leave out --kind: the folder has ${kinds.map(keyOf).join(', ')}.`],
    })
  }
  const named = kinds.map(kind => ({kind, ...readSchema(factsOf(kind, facts))}))
  return {
    // behavior.yaml names the kind that the user named.
    kinds: [
      ...named.filter(({kind}) => isSame(kind, given)),
      ...named.filter(({kind}) => !isSame(kind, given)),
    ],
    engine: {type: 'gotemplate'},
    path: FOLDER,
    files: placed,
    isMoved: placed !== files,
  }
}

const FOLDER = 'templates'

function placedFiles(files: Files, kind: NewKind): Files {
  if (hasKindFolders(files)) return files
  return new Map(
    [...files].map(([path, bytes]) => [path.includes('/') ? path : `${folderOf(kind)}/${path}`, bytes]),
  )
}

/** Reports whether the layout of a folder is that of named templates already. */
function hasKindFolders(files: Files): boolean {
  return [...files.keys()].some(path => namedTemplate(path).renders !== undefined)
}

function keyOf({kind, group, version}: NewKind): string {
  return `${kind}.${group}/${version}`
}

function folderOf(kind: NewKind): string {
  return keyOf(kind).replace('/', '_')
}

function isSame(one: NewKind, other: NewKind): boolean {
  return keyOf(one) === keyOf(other)
}

function kindOf(
  {kind, apiVersion}: {readonly kind: string; readonly apiVersion: string},
  given: NewKind,
): NewKind {
  const [group = '', version = ''] = apiVersion.split('/')
  const read = {kind, group, version, plural: pluralName(kind), scope: given.scope}
  return isSame(read, given) ? given : read
}

/** Those of the kind's own templates, and of the texts that every template can include. */
function factsOf(kind: NewKind, all: TemplateFacts['templates']): TemplateFacts['templates'] {
  return all.filter(({path}) => {
    const {renders} = namedTemplate(path.slice(FOLDER.length + 1))
    return renders === undefined || `${renders.kind}.${renders.apiVersion}` === keyOf(kind)
  })
}
