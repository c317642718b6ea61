/**
 * The port of the template engines: Helm 3, kustomize and Go templates, one WebAssembly module in a worker. It has no
 * file system, sockets, processes, environment, clock or randomness: a request brings all that it can read.
 *
 *     const engine = startEngine()            // src/engines/start-engine.ts; loads nothing until the first request
 *     try { await engine.render({engine: 'helm3', …}) } finally { await engine.close() }
 *
 * Requests of one engine run one after the other. All failures are `CrossplaneError`s (see `EngineFault`). After a
 * fault that ended the worker (time, memory, a crash), the next request starts a new one.
 */
export interface Engine {
  /** Overloaded by the kind of request: what comes back has the same `engine`. */
  render<R extends RenderRequest>(request: R): Promise<OutputOf<R>>
  /** Parses templates without executing them. */
  inspect(request: InspectRequest): Promise<TemplateFacts>
  /** Ends the worker. */
  close(): Promise<void>
}

/** Contents by path, relative to the templates folder, with `/`; no `..`, no empty segment, regular files only. */
export type Files = ReadonlyMap<string, Uint8Array>

export type RenderRequest = HelmRequest | KustomizeRequest | GoTemplateRequest

export interface HelmRequest {
  readonly engine: 'helm3'
  /** The chart: `Chart.yaml`, `values.yaml`, `templates/…`, `charts/…`, `.helmignore`. */
  readonly files: Files
  /** `namespace` is '' for cluster-scoped CRs and in the fidelity suite. */
  readonly release: {readonly name: string; readonly namespace: string}
  /** A JSON object: the CR's spec. Given as text so that integers of 64 bits stay exact. */
  readonly values: string
  /** Such as `v1.36.0` (default: Helm's own). */
  readonly kubeVersion?: string
  /** Added to Helm's own list, such as `example.org/v1` or `example.org/v1/Kind`; as `helm template --api-versions`. */
  readonly apiVersions?: readonly string[]
  /** With `trace`, the output has `sources` and `branches`. The rendered text is the same; it takes longer. */
  readonly trace?: boolean
}

export interface KustomizeRequest {
  readonly engine: 'kustomize'
  /** All files, also those that the caller wrote: the top folder's kustomization.yaml and overlaypatch.yaml. */
  readonly files: Files
  /** The folder of `files` to build, such as `top`; '.' for the root. Nothing above the root of `files` exists. */
  readonly folder: string
}

export interface GoTemplateRequest {
  readonly engine: 'gotemplate'
  /** Rendered in this order, each on its own: an error in one does not stop the others. Names are unique. */
  readonly templates: readonly NamedText[]
  /** What `include "key" "name"` finds. */
  readonly partials: readonly (NamedText & {readonly key: string})[]
  /** A JSON object: `{spec, metadata, status, <sibling>…, errors}`. Text, so that integers stay exact. */
  readonly variables: string
  readonly trace?: boolean
}

export interface NamedText {
  readonly name: string
  readonly text: string
  /** Where it is from, for messages; default: its name. */
  readonly path?: string
}

export type OutputOf<R> = R extends {engine: 'helm3'}
  ? HelmOutput
  : R extends {engine: 'kustomize'}
    ? KustomizeOutput
    : GoTemplateOutput

export interface HelmOutput {
  readonly engine: 'helm3'
  /** By path, without partials (`_*`) and NOTES.txt; also templates that printed nothing. */
  readonly templates: readonly RenderedTemplate[]
  /** Kinds in Helm's install order. Others come after them, by kind; within a kind: path, then document. */
  readonly installOrder: readonly string[]
  /** Files in `crds/` folders, also of subcharts; Helm does not render them. */
  readonly crds: readonly string[]
  readonly chart: {readonly name: string; readonly version: string; readonly subcharts: readonly string[]}
  readonly branches?: readonly RunBranch[]
}

export interface RenderedTemplate {
  /** Relative to the templates folder: `templates/a.yaml`, `charts/sub/templates/b.yaml`. */
  readonly path: string
  readonly text: string
  /** `text` split as Helm splits it (`---`), without empty documents. */
  readonly documents: readonly RenderedDocument[]
  /** With `trace`: for each line of `text`, where in the templates its first character was written. */
  readonly sources?: readonly TemplatePlace[]
}

interface RenderedDocument {
  readonly text: string
  /** Its first line within the text of the template, from 1. */
  readonly line: number
  /** Set if it carries `helm.sh/hook`: Helm does not install it with the release. */
  readonly hook?: {readonly kind: string; readonly name: string; readonly events: readonly string[]}
}

export interface TemplatePlace {
  readonly path: string
  /** From 1. */
  readonly line: number
}

interface KustomizeOutput {
  readonly engine: 'kustomize'
  /** The objects as one YAML stream, in the order in which kustomize would have them applied. */
  readonly text: string
}

interface GoTemplateOutput {
  readonly engine: 'gotemplate'
  /** One per template of the request, in its order. */
  readonly results: readonly GoTemplateResult[]
  readonly branches?: readonly RunBranch[]
}

export type GoTemplateResult =
  | {readonly name: string; readonly text: string; readonly sources?: readonly TemplatePlace[]}
  | {readonly name: string; readonly fault: EngineFault}

/** A branch of `TemplateFacts.branches` that ran at least once in this render. */
export interface RunBranch {
  readonly path: string
  readonly id: number
}

/**
 * Why a request failed. `render` and `inspect` throw it as CrossplaneError: `code` and `message` of the error; a
 * diagnostic with rule `template-error`, the message, and `file` and `line` if the engine knows them.
 * Codes: `package-invalid` (the templates, chart or kustomization, also a function that is not allowed),
 * `input-invalid` (values or variables: schema, required, fail), `source-unsafe` (paths, links and addresses outside
 * the package), `limit-exceeded` (memory, output, files, depth), `timeout`, `unsupported`.
 */
export interface EngineFault {
  readonly code:
    | 'package-invalid'
    | 'input-invalid'
    | 'source-unsafe'
    | 'limit-exceeded'
    | 'timeout'
    | 'unsupported'
  /** The cause alone, one sentence: `function "genCA" is not allowed: it returns another value at each call`. */
  readonly message: string
  readonly path?: string
  readonly line?: number
  /** The function that is not allowed, if that is the reason. */
  readonly function?: string
}

export type InspectRequest =
  | {readonly engine: 'helm3'; readonly files: Files}
  | Omit<GoTemplateRequest, 'variables' | 'trace'>

export interface TemplateFacts {
  /** In the order of their paths, each once per alias of its chart; for helm3 also partials and NOTES.txt (`notes: true`). */
  readonly templates: readonly ParsedTemplate[]
  /** The defaults of the chart (values.yaml with those of subcharts) as JSON text; '{}' for gotemplate. */
  readonly defaults: string
  /** values.schema.json of the chart, if any. */
  readonly schema?: string
  readonly chart?: ChartFacts
}

interface ChartFacts {
  readonly name: string
  readonly version: string
  readonly apiVersion: string
  readonly library: boolean
  readonly kubeVersion?: string
  readonly subcharts: readonly string[]
  /** Named by Chart.yaml or requirements.yaml, but not in charts/. */
  readonly missingDependencies: readonly string[]
  readonly crds: readonly string[]
  /** How many files the chart and its subcharts have, without those that .helmignore names. */
  readonly files: number
  /** Values that Chart.yaml reads: conditions and tags of subcharts, and what it imports from them. */
  readonly reads: readonly (readonly string[])[]
}

interface ParsedTemplate {
  /** As in a render: subcharts have their aliases. */
  readonly path: string
  /** With the names of subcharts, if one has an alias. */
  readonly source?: string
  /** The text does not parse; the other lists are then empty. */
  readonly fault?: EngineFault
  readonly notes?: boolean
  readonly reads: readonly FieldRead[]
  readonly functions: readonly FunctionUse[]
  readonly branches: readonly Branch[]
  /** Named templates that it defines (`define`, `block`). */
  readonly defines: readonly {readonly name: string; readonly line: number}[]
  /** Named templates that it uses by a constant name (`template`, `include`). */
  readonly uses: readonly {readonly name: string; readonly line: number}[]
  /** It calls `tpl`, or `template`/`include` with a computed name: it can read more than is listed. */
  readonly dynamic: boolean
}

interface FieldRead {
  /** From the root of the data: `['Values', 'image', 'tag']`, `['Release', 'Name']`, `['spec', 'size']`. */
  readonly field: readonly string[]
  readonly line: number
  /**
   * True if its whole value is used (printed, passed to a function, ranged over); false if it is only the way to
   * deeper fields, as in `with .Values.image`.
   */
  readonly whole: boolean
}

interface FunctionUse {
  readonly name: string
  readonly line: number
  /** Why render would reject it. */
  readonly rejected?: 'random' | 'time' | 'network' | 'environment'
}

interface Branch {
  /** Unique within its path. */
  readonly id: number
  readonly line: number
  /** `if .Values.enabled`, `else`, `range .Values.list`, `with .Values.x` as the template has it. */
  readonly text: string
  readonly kind: 'if' | 'with' | 'range' | 'else'
}
