import type {JsonObject} from '../../../yaml/json-value.js'
import {writeYaml} from '../../../yaml/write-yaml.js'

/** A kind with its group and version, as `Kind.group/version`. */
export interface ServiceKindName {
  readonly kind: string
  readonly group: string
  readonly version: string
}

/** A managed service: the one source of its CRDs and examples. */
export interface ServiceDefinition extends ServiceKindName {
  readonly claim: ServiceKindName
  /** Whether the package defines the claim, too. */
  readonly ownClaim: boolean
  /** The OpenAPI schema of the fields that users set. */
  readonly forProvider: JsonObject
  /** The OpenAPI schema of the fields that the controller writes to the status. */
  readonly atProvider: JsonObject
}

/** The file of a package that holds its definition. */
export const SERVICE_FILE = 'service.yaml'

/** Formats a definition as the text of its file. */
export function serviceText(service: ServiceDefinition): string {
  const {kind, group, version, claim, ownClaim, forProvider, atProvider} = service
  return `# The source of the CRDs and examples of this package. After a change, run
# kubectl crossplane package init . --update
${writeYaml([{kind}])}${writeYaml([{group}])}${writeYaml([{version}])}\
# The claim that applications use, as KIND.GROUP/VERSION. With ownClaim, this package defines it.
${writeYaml([{claim: formatKind(claim)}])}${writeYaml([{ownClaim}])}\
# The fields that users set, as an OpenAPI schema. The example of a field is used in examples/.
${writeYaml([{forProvider}])}\
# The fields that the controller writes to the status.
${writeYaml([{atProvider}])}`
}

/** Formats a kind as users write it. */
function formatKind({kind, group, version}: ServiceKindName): string {
  return `${kind}.${group}/${version}`
}

const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const KIND = /^[A-Z][A-Za-z0-9]*$/
const GROUP = new RegExp(`^${LABEL}(?:[.]${LABEL})+$`)
const VERSION = /^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/

/** Parses `Kind.group/version`; undefined for any other text. */
export function parseKindName(text: string): ServiceKindName | undefined {
  const [, kind = '', group = '', version = ''] = /^([^./]+)[.]([^/]+)[/]([^/]+)$/.exec(text) ?? []
  const name = {kind, group, version}
  return invalidParts(name).length === 0 ? name : undefined
}

/** The parts of a name that Kubernetes does not accept. */
export function invalidParts({kind, group, version}: ServiceKindName): readonly (keyof ServiceKindName)[] {
  return [
    ...(KIND.test(kind) && kind.length <= MAX_KIND ? [] : (['kind'] as const)),
    ...(GROUP.test(group) && group.length <= MAX_GROUP ? [] : (['group'] as const)),
    ...(VERSION.test(version) ? [] : (['version'] as const)),
  ]
}

/** `KINDClass` is a DNS label, and its plural with the group a DNS name. */
const MAX_KIND = 56
const MAX_GROUP = 180
