import {CrossplaneError} from '../errors.js'
import {quoted} from '../text.js'
import type {Behavior, Package} from '../unpack/package.js'
import {type CreatedKind, createdKinds} from '../unpack/templates/created-kinds.js'
import {readTemplateArchives} from '../unpack/templates/unpacked-chart.js'
import {asText} from '../yaml/json-value.js'
import type {LocatedPackage, LocateOptions} from './located-package.js'
import {readTemplates} from './read-templates.js'

/** What a template stack does with its templates, as far as it can be told without rendering them. */
export interface TemplateStack extends StackKinds {
  readonly engine: string
  /** The kind whose objects the templates are applied for. */
  readonly for: {readonly apiVersion: string; readonly kind: string}
}

/** The kinds that templates create, or the reason why they are not known. */
export interface StackKinds {
  readonly creates?: readonly CreatedKind[]
  readonly unread?: string
}

/** Describes a template stack; undefined for any other package. */
export async function templateStack(
  located: LocatedPackage,
  read: Package,
  options: LocateOptions,
): Promise<TemplateStack | undefined> {
  const {behavior} = read
  if (behavior === undefined) return undefined
  const {apiVersion, kind} = behavior.crd
  const kinds = await stackKinds(located, {...read, behavior}, options)
  return {engine: asText(behavior.engine.type), for: {apiVersion, kind}, ...kinds}
}

/**
 * Reads the templates of a package from where it was read. Those of another image are not read, and a failure is only
 * reported: the package itself can be in the cache.
 */
async function stackKinds(
  located: LocatedPackage,
  {behavior, crds, dependencies}: Package & {readonly behavior: Behavior},
  options: LocateOptions,
): Promise<StackKinds> {
  try {
    const templates = await readTemplates(located, behavior, options, 'own')
    if (templates === undefined) return {unread: absenceOf(behavior)}
    const definitions = crds.map(({definition}) => definition)
    const {files} = await readTemplateArchives(behavior, templates.files)
    return {creates: createdKinds(behavior, files, {crds: definitions, dependencies})}
  } catch (error) {
    if (error instanceof CrossplaneError) return {unread: error.message}
    throw error
  }
}

function absenceOf({source: {path, image}}: Behavior): string {
  return image === undefined ? `the package has no folder ${quoted(path)}` : `they are in the image ${image}`
}
