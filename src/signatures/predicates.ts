import {present} from '../present.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {SIGNATURE_TYPE, type Statement} from './statement.js'

/** What a statement is, as far as a policy can require it. */
export type PredicateKind = 'signature' | 'provenance' | 'sbom' | 'other'

/** The predicates that can be required. */
export type Requirement = Exclude<PredicateKind, 'other'>

const PROVENANCE = 'https://slsa.dev/provenance/v'
const SBOMS: readonly string[] = ['https://cyclonedx.org/bom', 'https://spdx.dev/Document']

/** Returns the kind of a statement by its type; versions of a type are the same kind. */
export function predicateKind({predicateType}: Pick<Statement, 'predicateType'>): PredicateKind {
  if (predicateType === SIGNATURE_TYPE) return 'signature'
  if (predicateType.startsWith(PROVENANCE)) return 'provenance'
  const isSbom = SBOMS.some(type => predicateType === type || predicateType.startsWith(`${type}/`))
  return isSbom ? 'sbom' : 'other'
}

/** Who built an image and of which source, as provenance states it. */
export interface BuildFacts {
  readonly builder?: string
  readonly source?: string
}

/** Reads provenance of SLSA. https://slsa.dev/spec/v1.0/provenance https://slsa.dev/spec/v0.2/provenance */
export function buildFacts({predicate}: Pick<Statement, 'predicate'>): BuildFacts {
  const builder = asObject(asObject(predicate['runDetails'])['builder'])['id']
  const earlier = asObject(predicate['builder'])['id']
  return present({
    builder: textOf(builder) ?? textOf(earlier),
    source: sourceOf(predicate),
  })
}

function sourceOf(predicate: JsonObject): string | undefined {
  const definition = asObject(predicate['buildDefinition'])
  const {workflow, source} = asObject(definition['externalParameters'])
  const [dependency] = asObjects(definition['resolvedDependencies'])
  const {configSource} = asObject(predicate['invocation'])
  const uri =
    textOf(asObject(workflow)['repository']) ??
    textOf(source) ??
    textOf(asObject(source)['uri']) ??
    textOf(dependency?.['uri']) ??
    textOf(asObject(configSource)['uri'])
  return uri === undefined ? undefined : repositoryOf(uri)
}

/** The repository of `git+https://github.com/example/app@refs/heads/main`. */
function repositoryOf(uri: string): string {
  const url = uri.startsWith('git+') ? uri.slice('git+'.length) : uri
  const at = url.lastIndexOf('@')
  const isReference = at > url.indexOf('://') + 2 && url.slice(0, at).includes('/', url.indexOf('://') + 3)
  return isReference ? url.slice(0, at) : url
}

function textOf(value: JsonValue | undefined): string | undefined {
  return asText(value) === '' ? undefined : asText(value)
}
