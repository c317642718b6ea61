import {
  builtinOfKind,
  coverageOf,
  type Diagnostic,
  groupOf,
  listAll,
  type Package,
  type PackageCrd,
  requirementText,
} from 'kubectl-crossplane/plugin'

/** A kind of objects that templates create. */
export interface ObjectKind {
  readonly apiVersion: string
  readonly kind: string
}

/** The kinds of objects that templates create for examples, and those that their texts name. */
export interface CreatedKinds {
  readonly created: readonly ObjectKind[]
  readonly named: readonly ObjectKind[]
}

/** What an app.yaml must name so that the controller can create the objects. */
export interface RequiredKinds {
  /** As in `dependsOn[].crd`, sorted. */
  readonly dependsOn: readonly string[]
  readonly notes: readonly Diagnostic[]
}

/**
 * Returns the dependencies that grant access to kinds. The kinds that every controller may use, and those of the package
 * itself, need none. The plural of a kind that is not one of Kubernetes is that of English.
 *
 * A kind that no example has is required if it is one of Kubernetes: the permission makes it possible to turn it on. A CRD
 * of somewhere else would have to be installed by those as well who never turn it on, so a note names it.
 */
export function requiredKinds(
  {created, named}: CreatedKinds,
  own: readonly PackageCrd[],
  dependencies: Package['dependencies'] = [],
): RequiredKinds {
  const sources = {crds: own.map(({definition}) => definition), dependencies}
  const needed = (kinds: readonly ObjectKind[]) =>
    distinct(kinds).filter(each => coverageOf(each, sources) === 'uncovered')
  const required = needed([...created, ...named.filter(isBuiltin)])
  const keys = new Set(required.map(kindKey))
  const optional = needed(named).filter(each => !keys.has(kindKey(each)))
  return {
    dependsOn: textsOf(required),
    notes: [
      ...noteOn(
        required.filter(isBuiltin),
        'init-core-permissions',
        names => `the templates create ${names}: installing the package requires --allow-core-permissions`,
      ),
      ...noteOn(
        required.filter(each => !isBuiltin(each)),
        'init-plurals',
        names => `the plurals of ${names} in dependsOn are assumed: compare them with the CRDs`,
      ),
      ...noteOn(
        optional,
        'init-optional-kinds',
        names =>
          `the example creates no ${names}: to let users turn them on, add to dependsOn: ${listAll(textsOf(optional))}`,
      ),
    ],
  }
}

function distinct(kinds: readonly ObjectKind[]): readonly ObjectKind[] {
  return [...new Map(kinds.map(each => [kindKey(each), each])).values()]
}

function kindKey({apiVersion, kind}: ObjectKind): string {
  return `${apiVersion} ${kind}`
}

function textsOf(kinds: readonly ObjectKind[]): readonly string[] {
  return [...new Set(kinds.map(each => requirementText(each)))].sort()
}

function isBuiltin({apiVersion, kind}: ObjectKind): boolean {
  return builtinOfKind(groupOf(apiVersion), kind) !== undefined
}

function noteOn(
  kinds: readonly ObjectKind[],
  rule: string,
  message: (names: string) => string,
): readonly Diagnostic[] {
  if (kinds.length === 0) return []
  return [{severity: 'note', rule, message: message(listAll(kinds.map(({kind}) => kind)))}]
}
