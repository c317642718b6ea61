import type {CrdDefinition, Package, PackageCrd} from '../../src/unpack/package.js'
import type {Install} from '../../src/render/package-record.js'
import type {InstallRequest} from '../../src/render/request.js'

/** The definition of a CRD of one version, named after its kind. */
export function definitionOf(kind: string, changes: Partial<CrdDefinition> = {}): CrdDefinition {
  const [plural, group] = [`${kind.toLowerCase()}s`, changes.group ?? 'example.org']
  return {
    name: `${plural}.${group}`,
    group,
    kind,
    plural,
    version: 'v1',
    versions: ['v1'],
    subresources: {status: false, scale: false},
    ...changes,
  }
}

/** The CRD of that kind as a package owns it, without metadata files. */
export function crdOf(kind: string, changes: Partial<PackageCrd> = {}): PackageCrd {
  const definition = changes.definition ?? definitionOf(kind)
  const {name, group, plural} = definition
  return {
    file: `.registry/${plural}.crd.yaml`,
    object: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {name},
      spec: {
        group,
        names: {kind, plural},
        scope: 'Namespaced',
        versions: [{name: 'v1', served: true, storage: true}],
      },
    },
    definition,
    metadata: {uiSchemas: []},
    ...changes,
  }
}

/** A package without anything, and these changes. */
export function packageOf(changes: Partial<Package> = {}): Package {
  return {
    app: {permissionScope: 'Namespaced'},
    title: '',
    permissionScope: 'Namespaced',
    dependencies: [],
    icons: [],
    crds: [],
    warnings: [],
    ...changes,
  }
}

/** A request for it without parameters, and these changes. */
export function requestOf(changes: Partial<InstallRequest> = {}): InstallRequest {
  return {
    namespace: 'team-a',
    name: 'widgets',
    scope: 'Namespaced',
    package: 'example/widgets:v1.0.0',
    imagePullSecrets: [],
    serviceAccountAnnotations: {},
    ...changes,
  }
}

export function installOf(
  changes: {readonly package?: Partial<Package>; readonly request?: Partial<InstallRequest>} & Partial<
    Pick<Install, 'version' | 'image'>
  > = {},
): Install {
  return {
    request: requestOf(changes.request),
    package: packageOf(changes.package),
    version: changes.version ?? 'v1.0.0',
    image: changes.image ?? 'example/widgets:v1.0.0',
  }
}
