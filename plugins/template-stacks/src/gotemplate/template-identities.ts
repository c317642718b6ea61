import {
  asObject,
  CrossplaneError,
  type Diagnostic,
  type JsonObject,
  readYaml,
  writeJson,
} from 'kubectl-crossplane/plugin'
import type {Engine, NamedText} from '../engines/engine.js'
import {identityText} from './identity-text.js'
import {type Identity, identityOf} from './sibling-identity.js'
import type {TemplateSet, TemplateSets} from './template-sets.js'

/** The UID for templates of a custom resource that was never created. */
export const NO_UID = '00000000-0000-0000-0000-000000000000'

/** What each template will make, by its name, and the templates of which that cannot be said. */
export interface Identities {
  readonly known: ReadonlyMap<string, Identity>
  readonly errors: readonly Diagnostic[]
}

/**
 * Finds what each template will make before anything is read, by name, namespace and UID of the custom resource alone: with
 * other variables, a change of their values would leave the former object behind. `known` lacks templates whose text does
 * not name it; those are known when they are rendered.
 */
export async function identitiesOf(
  set: TemplateSet,
  {partials}: Pick<TemplateSets, 'partials'>,
  {name = '', namespace, uid = ''}: JsonObject,
  engine: Engine,
): Promise<Identities> {
  const texts = set.templates.flatMap((template): NamedText[] => {
    const text = identityText(template.text)
    return text === undefined ? [] : [{...template, text}]
  })
  const metadata = {name, uid, ...(namespace === undefined ? {} : {namespace})}
  const variables = writeJson({metadata})
  const {results} = await engine.render({
    engine: 'gotemplate',
    templates: texts,
    partials,
    variables,
    trace: false,
  })
  const known = new Map<string, Identity>()
  const errors: Diagnostic[] = []
  for (const [index, result] of results.entries()) {
    const identity = 'fault' in result ? undefined : readIdentity(result.text)
    if (identity === undefined) errors.push(identityError(texts[index] ?? {name: result.name, text: ''}))
    else known.set(result.name, identity)
  }
  return {known, errors}
}

function readIdentity(text: string): Identity | undefined {
  if (text.includes('<no value>')) return undefined
  try {
    const identity = identityOf(asObject(readYaml(Buffer.from(text), 'template')[0]?.value))
    return Object.values(identity).includes('') ? undefined : identity
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

function identityError({path, name}: NamedText): Diagnostic {
  const message =
    'apiVersion, kind and metadata.name must be known before anything is read: they can use .metadata.name, .metadata.namespace and .metadata.uid only'
  return {severity: 'error', rule: 'gotemplate-identity', message, file: path ?? name}
}
