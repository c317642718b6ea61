import {CrossplaneError, type JsonObject, pluralName, quoted} from 'kubectl-crossplane/plugin'

/** The kind that a package defines and its templates render. */
export interface NewKind {
  readonly kind: string
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly scope: 'Cluster' | 'Namespaced'
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const NOTATION = new RegExp(`^([A-Z][A-Za-z0-9]*)[.](${LABEL}([.]${LABEL})+)/(v[0-9]+((alpha|beta)[0-9]+)?)$`)

/** Parses `Kind.group/version`. Throws `usage` for any other text. */
export function parseKind(text: string, {plural, scope}: Partial<NewKind>): NewKind {
  const [, kind, group, , , , version] = NOTATION.exec(text) ?? []
  if (kind === undefined || group === undefined || version === undefined) {
    throw new CrossplaneError('usage', `invalid kind ${quoted(text)}`, {
      suggestions: ['Pass --kind KIND.GROUP/VERSION, for example Blog.blogs.example.org/v1alpha1.'],
    })
  }
  return {kind, group, version, plural: plural ?? pluralName(kind), scope: scope ?? 'Namespaced'}
}

/** Returns the kind of a package without `--kind`: named after its folder, in the group of examples. */
export function defaultKind(name: string): string {
  const kind = name
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return `${/^[A-Z]/.test(kind) ? kind : `App${kind}`}.${name}.example.org/v1alpha1`
}

/**
 * Returns the CRD of a kind with that schema of `spec`. The status is a subresource and keeps its conditions, which the
 * controller of template stacks writes.
 */
export function newCrd({kind, group, version, plural, scope}: NewKind, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      names: {kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase()},
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: {status: {}},
          schema: {openAPIV3Schema: {type: 'object', properties: {spec, status: STATUS}}},
        },
      ],
    },
  }
}

const CONDITION: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(
    ['type', 'status', 'reason', 'message', 'lastTransitionTime'].map(name => [name, {type: 'string'}]),
  ),
}

const STATUS: JsonObject = {
  type: 'object',
  properties: {
    conditions: {type: 'array', items: {...CONDITION, 'x-kubernetes-preserve-unknown-fields': true}},
  },
  'x-kubernetes-preserve-unknown-fields': true,
}
