import type {Schema} from '../../../src/crd/schema-node.js'

/** A schema with a field of each type. */
export const SCHEMA: Schema = {
  type: 'object',
  properties: {
    name: {type: 'string'},
    size: {type: 'integer'},
    ratio: {type: 'number'},
    at: {type: 'string', format: 'date-time'},
    namespace: {type: 'string'},
    'a-b': {type: 'string'},
    parts: {type: 'array', items: {type: 'object', properties: {size: {type: 'integer'}}}},
    names: {type: 'array', items: {type: 'string'}},
    labels: {type: 'object', additionalProperties: {type: 'string'}},
    port: {'x-kubernetes-int-or-string': true},
    open: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
  },
}

/** Rules that a real server compiles. */
export const COMPILED = [
  'has(self.name)',
  'has(self.parts[0].size)',
  'self.parts.all(x, x.size > 1)',
  'self == oldSelf',
  'isURL(self.name)',
  'url(self.name).getHost() == "x"',
  'self.name.find("[0-9]+") == "1"',
  'self.__namespace__ == "a"',
  'self.namespace == "a"',
  'self.a__dash__b == "b"',
  'self.port == 1 || self.port == "a"',
  'self.metadata.name == "a"',
  'sets.contains(self.names, ["a"])',
  'self.size > 1.5',
  'self.at > timestamp("2020-01-01T00:00:00Z")',
  'quantity(self.name).isGreaterThan(quantity("1Gi"))',
  'ip(self.name).family() == 4',
  'cidr("10.0.0.0/8").containsIP("10.1.1.1")',
  'self.?name.orValue("") == ""',
  'self.labels.exists(k, self.labels[k] == "b")',
  'self.labels.a == "b"',
  'self.parts[0] == self.parts[1]',
  'dyn(self.name) == 1',
  'self.name == "has(self.nothing)"',
  'size(self.labels) > 0',
]

/** Rules that a real server rejects. */
export const REJECTED = [
  'has(self.other)',
  'has(self.parts[0].other)',
  'has(self)',
  'self.other == 1',
  'self.open.x == 1',
  'self.name == 5',
  'self.parts.all(x, x.other > 1)',
  'self.names.exists(x, x == 1)',
  'self.name.matches("[")',
  'duration("x") > duration("1s")',
  'timestamp("x") == self.at',
  'self.size == 1.5',
  'self.ratio == 1',
  'self.name',
  'self.size > 1 ? true : self.size',
  'unknown(self.name)',
  'self.name in ["a", 1]',
  '(self.size',
  'self.name == "b" &&',
  'self.name.startsWith(self.size)',
  'self.size && true',
  'null == self.name',
]
