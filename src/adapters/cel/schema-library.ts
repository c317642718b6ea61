import {Environment} from '@marcbachmann/cel-js'

/**
 * The functions of Kubernetes' own libraries that rules of schemas can call and the library lacks:
 * https://kubernetes.io/docs/reference/using-api/cel/. Here they are compiled only.
 */
const SIGNATURES: readonly string[] = [
  ...['string.charAt(int): string', 'string.replace(string, string): string'],
  ...['string.replace(string, string, int): string', 'string.format(list<dyn>): string'],
  ...['string.find(string): string', 'string.findAll(string): list<string>'],
  'string.findAll(string, int): list<string>',
  'matches(string, string): bool',
  ...['list<dyn>.isSorted(): bool', 'list<dyn>.sum(): dyn', 'list<dyn>.min(): dyn', 'list<dyn>.max(): dyn'],
  ...['list<dyn>.indexOf(dyn): int', 'list<dyn>.lastIndexOf(dyn): int'],
  ...['timestamp(google.protobuf.Timestamp): google.protobuf.Timestamp'],
  ...['duration(google.protobuf.Duration): google.protobuf.Duration'],
  ...['string(google.protobuf.Timestamp): string', 'string(google.protobuf.Duration): string'],
  ...['int(google.protobuf.Timestamp): int', 'isURL(string): bool', 'url(string): kubernetes.URL'],
  ...['getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath'].map(
    name => `kubernetes.URL.${name}(): string`,
  ),
  'kubernetes.URL.getQuery(): map<string, list<string>>',
  ...[
    'isIP(string): bool',
    'ip(string): net.IP',
    'net.IP.family(): int',
    'net.Namespace.isCanonical(string): bool',
  ],
  ...['isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'].map(
    name => `net.IP.${name}(): bool`,
  ),
  ...[
    'isCIDR(string): bool',
    'cidr(string): net.CIDR',
    'net.CIDR.ip(): net.IP',
    'net.CIDR.masked(): net.CIDR',
  ],
  ...[
    'net.CIDR.prefixLength(): int',
    'net.CIDR.containsIP(string): bool',
    'net.CIDR.containsIP(net.IP): bool',
  ],
  ...['net.CIDR.containsCIDR(string): bool', 'net.CIDR.containsCIDR(net.CIDR): bool'],
  ...['isQuantity(string): bool', 'quantity(string): kubernetes.Quantity'],
  ...['sign(): int', 'isInteger(): bool', 'asInteger(): int', 'asApproximateFloat(): double'].map(
    rest => `kubernetes.Quantity.${rest}`,
  ),
  ...['isGreaterThan', 'isLessThan'].map(name => `kubernetes.Quantity.${name}(kubernetes.Quantity): bool`),
  'kubernetes.Quantity.compareTo(kubernetes.Quantity): int',
  ...['add', 'sub'].flatMap(name => [
    `kubernetes.Quantity.${name}(kubernetes.Quantity): kubernetes.Quantity`,
    `kubernetes.Quantity.${name}(int): kubernetes.Quantity`,
  ]),
  ...['contains', 'equivalent', 'intersects'].map(
    name => `kubernetes.Sets.${name}(list<dyn>, list<dyn>): bool`,
  ),
]

const OPAQUE_TYPES = [
  'kubernetes.URL',
  'net.Namespace',
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Sets',
]

/** The stand-in for `has`, with which its argument is compiled like any other expression. */
export const HAS = 'has_'

/** Names whose calls are not judged: their types are not modeled. */
export const UNJUDGED =
  /\b(?:authorizer|format|semver|isSemver|transform(?:List|Map|MapEntry)|optMap|optFlatMap|jsonpatch)\b/

/** The limits of an expression. */
export const LIMITS = {maxAstNodes: 20_000, maxDepth: 100, maxListElements: 2000, maxMapEntries: 2000}

/** Creates the environment in which rules of schemas are compiled, without their variables. */
export function schemaLibrary(): Environment {
  const environment = new Environment({enableOptionalTypes: true, limits: LIMITS})
  for (const type of OPAQUE_TYPES) environment.registerType(type, {fields: {}})
  environment.registerVariable('sets', 'kubernetes.Sets').registerVariable('ip', 'net.Namespace')
  for (const signature of [...SIGNATURES, `${HAS}(dyn): bool`])
    environment.registerFunction(signature, () => undefined)
  return environment
}
