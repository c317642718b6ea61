import {describe, expect, it} from '@jest/globals'
import {checkCrd} from '../../../src/crd/checks/check-crd.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject, JsonValue} from '../../../src/yaml/json-value.js'
import {v1Crd} from '../convert/v1beta1-crd.js'

const ROOT: JsonObject = {type: 'object'}
const APPROVAL = 'api-approved.kubernetes.io'
const withMetadata = (metadata: JsonObject, spec: JsonObject = {}): KubernetesObject => ({
  ...v1Crd(ROOT, spec),
  metadata: {name: 'widgets.example.org', ...metadata},
})
const inKubernetes = (annotations: JsonObject) =>
  withMetadata({name: 'widgets.example.k8s.io', annotations}, {group: 'example.k8s.io'})

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: KubernetesObject
  /** `rule path`, in the order in which they are found. */
  readonly want: readonly string[]
}

describe('names of a CRD', () => {
  it.each<Case>([
    {
      name: 'capitals in the plural',
      reason: 'neither the name nor the plural is a DNS name',
      in: withMetadata({name: 'Widgets.example.org'}, {names: {kind: 'Widget', plural: 'Widgets'}}),
      want: ['metadata metadata.name', 'names spec.names.plural'],
    },
    {
      name: 'a key of a label with two slashes',
      reason: 'a key has at most one prefix',
      in: withMetadata({labels: {'a/b/c': 'd'}}),
      want: ['metadata metadata.labels'],
    },
    {
      name: 'a label of two words',
      reason: 'a value is one word',
      in: withMetadata({labels: {a: 'b c'}}),
      want: ['metadata metadata.labels'],
    },
    {
      name: 'a key of an annotation with a space',
      reason: 'a key is one word',
      in: withMetadata({annotations: {'a b': 'c'}}),
      want: ['metadata metadata.annotations'],
    },
    {
      name: 'annotations of more than 256 KiB',
      reason: 'this is the limit of an object',
      in: withMetadata({annotations: {a: 'x'.repeat(256 * 1024)}}),
      want: ['metadata metadata.annotations'],
    },
    {
      name: 'labels and annotations',
      reason: 'their keys can have a domain, their values can be empty',
      in: withMetadata({labels: {'example.org/a': ''}, annotations: {'example.org/A': 'b c'}}),
      want: [],
    },
    {
      name: "a group of Kubernetes' own without approval",
      reason: 'the community must approve it',
      in: inKubernetes({}),
      want: [`api-approval metadata.annotations[${APPROVAL}]`],
    },
    {
      name: 'an approval that is not a URL',
      reason: 'an approval must be the URL of a decision',
      in: inKubernetes({[APPROVAL]: 'yes'}),
      want: [`api-approval metadata.annotations[${APPROVAL}]`],
    },
    {
      name: 'an approval that is a URL',
      reason: 'it is the URL of a decision',
      in: inKubernetes({[APPROVAL]: 'https://github.com/kubernetes/kubernetes/pull/1'}),
      want: [],
    },
    {
      name: 'an experiment',
      reason: 'it is marked as unapproved',
      in: inKubernetes({[APPROVAL]: 'unapproved, experimental-only'}),
      want: [],
    },
  ])('$name: $reason', ({in: crd, want}) => {
    expect(found(crd)).toEqual(want)
  })
})

const versionsOf = (...versions: readonly JsonObject[]) =>
  v1Crd(
    {},
    {
      versions: versions.map((version, index) => ({
        served: true,
        storage: index === 0,
        schema: {openAPIV3Schema: ROOT},
        ...version,
      })),
    },
  )
const WARNING = 'versions spec.versions[0].deprecationWarning'
const warning = (deprecationWarning: string) => versionsOf({name: 'v1', deprecated: true, deprecationWarning})

describe('versions of a CRD', () => {
  it.each<Case>([
    {
      name: 'a capital in the first',
      reason: 'the server stores its name twice and reports both',
      in: versionsOf({name: 'V1'}),
      want: ['versions spec.versions[0].name', 'versions spec.version'],
    },
    {
      name: 'a capital in the second',
      reason: 'its name is stored once',
      in: versionsOf({name: 'v1'}, {name: 'V2'}),
      want: ['versions spec.versions[1].name'],
    },
    {
      name: 'one name for two',
      reason: 'names must be unique',
      in: versionsOf({name: 'v1'}, {name: 'v1'}),
      want: ['versions spec.versions'],
    },
    {name: 'an empty warning', reason: 'it has no text', in: warning(''), want: [WARNING]},
    {name: 'a warning of 257 bytes', reason: 'it is a header', in: warning('x'.repeat(257)), want: [WARNING]},
    {name: 'a warning of two lines', reason: 'it is a header', in: warning('a\nb'), want: [WARNING]},
    {name: 'a warning of a deprecated version', reason: 'it has a text', in: warning('Use v2.'), want: []},
  ])('$name: $reason', ({in: crd, want}) => {
    expect(found(crd)).toEqual(want)
  })

  it('require a schema each: a missing one is the only diagnostic', () => {
    const crd = versionsOf({name: 'v1'}, {name: 'v2', schema: {}})
    expect(found(crd)).toEqual(['schema-missing spec.versions[1].schema.openAPIV3Schema'])
  })
})

const CLIENT = 'conversion spec.conversion.webhookClientConfig'
const REVIEWS = 'conversion spec.conversion.conversionReviewVersions'
const converting = (conversion: JsonObject) => v1Crd(ROOT, {conversion})
const hook = (clientConfig: JsonObject, conversionReviewVersions: JsonValue = ['v1']) =>
  converting({strategy: 'Webhook', webhook: {clientConfig, conversionReviewVersions}})
const address = (url: string) => hook({url})
const service = (changed: JsonObject) => hook({service: {name: 'a', namespace: 'b', ...changed}})
const url = 'https://example.org'

describe('conversion between versions', () => {
  it.each<Case>([
    {
      name: 'a client without webhook',
      reason: 'it is never called',
      in: converting({strategy: 'None', webhook: {clientConfig: {url}, conversionReviewVersions: []}}),
      want: [CLIENT],
    },
    {
      name: 'reviews without webhook',
      reason: 'they are never read',
      in: converting({strategy: 'None', webhook: {conversionReviewVersions: ['v1']}}),
      want: [REVIEWS],
    },
    {
      name: 'a url and a service',
      reason: 'it is called in one place',
      in: hook({url, service: {name: 'a', namespace: 'b'}}),
      want: [CLIENT],
    },
    {
      name: 'a url of a user',
      reason: 'credentials in a URL are not allowed',
      in: address('https://me@a.b'),
      want: [`${CLIENT}.url`],
    },
    {
      name: 'a url without host',
      reason: 'a host is required',
      in: address('https:///a'),
      want: [`${CLIENT}.url`],
    },
    {name: 'a url with a query', reason: 'it is a path', in: address(`${url}?a=b`), want: [`${CLIENT}.url`]},
    {name: 'a url with a fragment', reason: 'it is a path', in: address(`${url}#a`), want: [`${CLIENT}.url`]},
    {
      name: 'a bad escape',
      reason: 'it is not a valid URL',
      in: address(`${url}/%zz`),
      want: [`${CLIENT}.url`],
    },
    {name: 'a url', reason: 'it has a host', in: address('https://[::1]:8443/convert'), want: []},
    {
      name: 'a service without namespace',
      reason: 'the server reports it as its name',
      in: service({namespace: ''}),
      want: [`${CLIENT}.service.name`],
    },
    {
      name: 'a port of 0',
      reason: 'the first is 1',
      in: service({port: 0}),
      want: [`${CLIENT}.service.port`],
    },
    {
      name: 'a port of 65536',
      reason: 'the last is 65535',
      in: service({port: 65536}),
      want: [`${CLIENT}.service.port`],
    },
    {
      name: 'a path without slash',
      reason: 'it begins with one',
      in: service({path: 'a'}),
      want: [`${CLIENT}.service.path`],
    },
    {
      name: 'a path with a step in capitals',
      reason: 'its steps must be DNS names',
      in: service({path: '/a/B'}),
      want: [`${CLIENT}.service.path`],
    },
    {name: 'a path of two steps', reason: 'both are names', in: service({path: '/a/b.c/'}), want: []},
    {name: 'the path of a slash', reason: 'it is the root', in: service({path: '/'}), want: []},
    {
      name: 'a review that is named twice',
      reason: 'duplicates are rejected',
      in: hook({url}, ['v1', 'v1']),
      want: [`${REVIEWS}[1]`],
    },
    {
      name: 'a review in capitals',
      reason: 'a review version must be a DNS name',
      in: hook({url}, ['v1', 'V2']),
      want: [`${REVIEWS}[1]`],
    },
    {
      name: 'a webhook and unknown fields',
      reason: 'unknown fields cannot be converted',
      in: v1Crd(ROOT, {
        preserveUnknownFields: true,
        conversion: {strategy: 'Webhook', webhook: {clientConfig: {url}, conversionReviewVersions: ['v1']}},
      }),
      want: ['preserve-unknown-fields spec.preserveUnknownFields', 'conversion spec.conversion.strategy'],
    },
  ])('$name: $reason', ({in: crd, want}) => {
    expect(found(crd)).toEqual(want)
  })
})

const SCHEMA = 'spec.validation.openAPIV3Schema'
const withStatus = (schema: JsonObject) => v1Crd(schema, {}, {subresources: {status: {}}})

describe('the root of a resource with a status subresource', () => {
  it.each<Case>([
    {
      name: 'a list',
      reason: 'a status is a field of an object',
      in: withStatus({type: 'array', items: {type: 'string'}}),
      want: [`root ${SCHEMA}.type`, `type ${SCHEMA}.type`],
    },
    {
      name: 'an enum',
      reason: 'the server would check the status alone against the enum',
      in: withStatus({type: 'object', enum: [{}]}),
      want: [`root ${SCHEMA}`],
    },
    {
      name: 'a list with an id',
      reason: 'the server stops at the id',
      in: withStatus({type: 'array', items: {type: 'string'}, id: 'a'}),
      want: [`root ${SCHEMA}`, `keyword ${SCHEMA}.id`],
    },
    {
      name: 'an object with a rule',
      reason: 'rules apply to the whole',
      in: withStatus({type: 'object', 'x-kubernetes-validations': [{rule: 'true'}]}),
      want: [],
    },
  ])('$name: $reason', ({in: crd, want}) => {
    expect(found(crd)).toEqual(want)
  })
})

function found(crd: KubernetesObject): string[] {
  return checkCrd(crd).map(({rule, path}) => `${rule} ${path}`)
}
