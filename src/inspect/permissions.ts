import type {SetObject} from '../render/install-set.js'
import type {Install} from '../render/package-record.js'
import {isRejectedByDefault} from '../render/permissions.js'
import type {PermissionScope} from '../unpack/package.js'
import {asObject, asObjects, asTexts, type JsonObject} from '../yaml/json-value.js'
import {type PersonaRights, personaRights} from './persona-rights.js'
import {ruleInWords} from './rule-words.js'
import {type WideMark, wideMarks} from './wide-marks.js'

/** The permissions of a package's controller, and of users on its kinds. */
export interface Permissions {
  readonly holdIn: 'cluster' | 'namespace'
  /** Whether the package cannot be rendered without `--allow-core-permissions`. */
  readonly needAllowCorePermissions: boolean
  /** In the record's order. */
  readonly rules: readonly PermissionRule[]
  readonly personas: readonly PersonaRights[]
}

/**
 * The rule for every package is `standard`, those for its kinds `owned`, for its dependsOn `required`; a template
 * stack reads `itself`.
 */
type RuleCause = 'itself' | 'owned' | 'required' | 'standard'

export interface PermissionRule {
  /** The rule as RBAC has it. */
  readonly rule: JsonObject
  readonly because: RuleCause
  /** The CRD or the entry of dependsOn that it is for. */
  readonly of?: string
  /** The rest of a sentence that starts with "may". */
  readonly words: string
  /** The reasons why it is wide; empty if it is not. */
  readonly wide: readonly WideMark[]
  readonly isRefusedByDefault: boolean
}

/** `objects` are the install set's. */
export function permissions(install: Install, objects: readonly SetObject[]): Permissions {
  const {permissionScope: scope} = install.package
  const record = objects.findLast(object => object.phase === 'records')?.object
  const rules = asObjects(asObject(asObject(record?.spec).permissions).rules)
  const causes = ruleCauses(install, rules)
  return {
    holdIn: scope === 'Cluster' ? 'cluster' : 'namespace',
    needAllowCorePermissions: rules.some(isRejectedByDefault),
    rules: rules.map((rule, index) => ({
      rule,
      ...(causes[index] ?? {because: 'itself'}),
      words: inWords(rule, index === 0, scope),
      wide: wideMarks(rule, scope),
      isRefusedByDefault: isRejectedByDefault(rule),
    })),
    personas: personaRights(install, objects),
  }
}

type Cause = Pick<PermissionRule, 'because' | 'of'>

/**
 * In the order in which a record's rules are generated: one for all, one for each CRD, one for each CRD of dependsOn.
 */
function ruleCauses({package: {crds, dependencies}}: Install, rules: readonly JsonObject[]): Cause[] {
  return [
    {because: 'standard'},
    ...rules.slice(1, 1 + crds.length).map(rule => ({because: 'owned', of: crdOf(rule)}) as const),
    ...dependencies.flatMap(dependency =>
      'crd' in dependency ? [{because: 'required', of: dependency.crd} as const] : [],
    ),
  ]
}

function crdOf({apiGroups, resources}: JsonObject): string {
  return [...asTexts(resources).slice(0, 1), ...asTexts(apiGroups)].join('.')
}

function inWords(rule: JsonObject, isStandard: boolean, scope: PermissionScope): string {
  const isCluster = scope === 'Cluster'
  if (isStandard) {
    const where = isCluster ? 'in the WHOLE CLUSTER' : 'in its namespace'
    return `read, create, change and delete all ConfigMaps, Events and Secrets ${where}`
  }
  return `${ruleInWords(rule)}, ${isCluster ? 'in the whole cluster' : 'in its namespace'}`
}
